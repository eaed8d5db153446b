//! A round file that can be read prints as one that reads as the same file.
#![no_main]

use croupier_rounds::RoundFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match RoundFile::parse(text) {
    Ok(file) => {
        let printed = file.to_string();
        match RoundFile::parse(&printed) {
            Ok(again) => assert!(again == file, "prints as something else:\n{printed}"),
            Err(faults) => panic!("{} faults in what it prints, {}:\n{printed}", faults.len(), faults[0]),
        }
    }
    Err(faults) => {
        assert!(!faults.is_empty(), "refused without a fault");
        assert!(faults.iter().all(|fault| !fault.to_string().is_empty()), "a fault without a word");
    }
});
