//! A commitment opens to what was committed to, and to nothing else.

use core::convert::Infallible;

use croupier_cards::{
    Card, CommitError, Commitment, CommitmentError, Composition, Decks, NodeHash, Opening, Proof, ProofError,
    RevealError, Root, Salt, parse_cards, verify_reveal,
};
use proptest::prelude::*;
use rand_core::{TryCryptoRng, TryRng};
use sha2::{Digest, Sha256};

/// The cards of ten decks in turn, so that neighbours differ.
fn cards(number: usize) -> Vec<Card> {
    Card::all().cycle().take(number).collect()
}

/// Salts that a reader in any language can make: the SHA-256 of the position in four bytes.
fn salts(number: u32) -> Vec<Salt> {
    (0..number).map(|position| Salt::from_bytes(Sha256::digest(position.to_be_bytes()).into())).collect()
}

fn commitment(number: u32) -> Result<Commitment, CommitmentError> {
    Commitment::new(cards(number as usize), salts(number))
}

fn other_card(card: Card) -> Option<Card> {
    Card::from_index((card.index() + 1) % Card::COUNT)
}

fn other_hash(hash: &NodeHash) -> NodeHash {
    let mut bytes = *hash.as_bytes();
    bytes[31] ^= 1;
    NodeHash::from_bytes(bytes)
}

/// The vector in the documentation, which was made by another program.
#[test]
fn the_documented_vector_holds() {
    let salts = [1, 2, 3].map(|byte| Salt::from_bytes([byte; 32])).to_vec();
    let commitment = Commitment::new(parse_cards("AS 8H KD").unwrap(), salts).unwrap();
    let root = commitment.root();
    assert_eq!(root.to_string(), "a8c5510a49b50479f686a33c584d9354498025f54a8184d3bceb3288222eea2c");

    let leaves = [
        "0e520c71003837c036192cc4855114a6e36743367b7e85627b0f1daffd7f77dc",
        "a0f797dd89690e1b8f758aa4b9596f84f71456e492d6823e43df43a5e54d3761",
        "42944fdccbe1775b427af8917907b7b7ffb748984b25a697cebb824dbbe001be",
    ];
    let node = "5824e631822fc6fe3d107db6d2cf372222fefe765c2248a266484552219d00dd";
    let paths = [vec![leaves[1], leaves[2]], vec![leaves[0], leaves[2]], vec![node]];
    for (position, path) in paths.into_iter().enumerate() {
        let proof = commitment.proof(position).unwrap();
        assert_eq!(proof.path.iter().map(NodeHash::to_string).collect::<Vec<_>>(), path);
        assert_eq!(proof.salt.to_hex(), format!("0{}", position + 1).repeat(32));
        proof.verify(&root, 3).unwrap();
    }
}

/// Eight decks sorted by index, with the salts above; made by another program from RFC 6962's recursion.
#[test]
fn eight_decks_have_the_root_that_the_recursive_definition_gives() {
    let cards = Composition::of_decks(Decks::new(8).unwrap()).cards().collect();
    let root = Commitment::new(cards, salts(416)).unwrap().root();
    assert_eq!(root.to_string(), "787da897da925691316d7fe584108a1bb458d377330d1ebbded2433011e571b0");
}

#[test]
fn every_position_of_every_size_is_proved() {
    for number in 1..=520_u32 {
        let commitment = commitment(number).unwrap();
        let root = commitment.root();
        let size = number as usize;
        for position in 0..size {
            let proof = commitment.proof(position).unwrap();
            assert_eq!(proof.card, cards(size)[position]);
            assert_eq!(proof.verify(&root, size), Ok(()), "position {position} of {number}");
        }
        assert!(commitment.proof(size).is_none());
        assert_eq!(verify_reveal(&root, size, &commitment.reveal_all()), Ok(cards(size)));
    }
}

#[test]
fn no_proof_holds_for_a_shoe_of_another_size() {
    for number in [1, 2, 3, 4, 5, 8, 9, 52, 415, 416, 417, 520] {
        let commitment = commitment(number).unwrap();
        let size = number as usize;
        for position in 0..size {
            let proof = commitment.proof(position).unwrap();
            for other in [size - 1, size + 1, size * 2, 0, position, position + 1] {
                let held = proof.verify(&commitment.root(), other).is_ok();
                assert_eq!(held, other == size, "position {position} of {number} as of {other}");
            }
            assert_eq!(
                proof.verify(&commitment.root(), usize::MAX),
                Err(ProofError::TooMany { cards: usize::MAX })
            );
        }
    }
}

#[test]
fn a_position_must_be_in_the_shoe() {
    let commitment = commitment(5).unwrap();
    let proof = commitment.proof(4).unwrap();
    for (position, expect) in [
        (3, ProofError::PathLength { expected: 3, found: 1 }),
        (5, ProofError::PositionOutside { position: 5, cards: 5 }),
        (usize::MAX, ProofError::PositionOutside { position: usize::MAX, cards: 5 }),
        // It has the position's four bytes, but is another position.
        (4 + (1 << 32), ProofError::PositionOutside { position: 4 + (1 << 32), cards: 5 }),
    ] {
        let moved = Proof { position, ..proof.clone() };
        assert_eq!(moved.verify(&commitment.root(), 5), Err(expect));
    }
}

/// The hash of a node must not pass for a leaf, nor a leaf's for a node: their first bytes differ.
#[test]
fn leaves_nodes_and_roots_are_told_apart() {
    let commitment = commitment(4).unwrap();
    let [first, third] = [0, 2].map(|position| commitment.proof(position).unwrap());
    let leaf = |position: u32, proof: &Proof| -> [u8; 32] {
        let card = proof.card.to_byte();
        let bytes = [&[0][..], &position.to_be_bytes(), &[card], proof.salt.as_bytes()].concat();
        Sha256::digest(bytes).into()
    };
    let node = |left: &[u8; 32], right: &[u8; 32]| -> [u8; 32] {
        Sha256::digest([&[1][..], left, right].concat()).into()
    };
    let left = node(&leaf(0, &first), first.path[0].as_bytes());
    let right = node(&leaf(2, &third), third.path[0].as_bytes());
    assert_eq!((first.path[1].as_bytes(), third.path[1].as_bytes()), (&right, &left));
    let root = |number: u32| -> [u8; 32] {
        Sha256::digest([&[2][..], &number.to_be_bytes(), &node(&left, &right)].concat()).into()
    };
    assert_eq!(commitment.root().as_bytes(), &root(4));
    // The two nodes as leaves of a smaller tree lead to the same top and still to another root.
    assert_ne!(commitment.root().as_bytes(), &root(2));
}

#[test]
fn a_reveal_names_all_missing_and_surplus_positions() {
    let commitment = commitment(8).unwrap();
    let all = commitment.reveal_all();
    let pick =
        |positions: &[usize]| -> Vec<Opening> { positions.iter().map(|at| all[*at].clone()).collect() };
    let root = commitment.root();
    let error = verify_reveal(&root, 6, &pick(&[7, 3, 3, 3, 6, 4, 1, 7])).unwrap_err();
    let expect =
        RevealError::Positions { missing: vec![0..1, 2..3, 5..6], repeated: vec![3], outside: vec![6, 7] };
    assert_eq!(error, expect);
    assert_eq!(
        error.to_string(),
        "every position must be revealed once: missing 0, 2, 5; repeated 3; outside the shoe 6, 7"
    );
    let none = verify_reveal(&root, usize::MAX, &[]).unwrap_err();
    assert_eq!(
        none.to_string(),
        format!("every position must be revealed once: missing 0 to {}", usize::MAX - 1)
    );
    assert_eq!(verify_reveal(&root, 0, &[]), Err(RevealError::OtherRoot));
    // Any order of the openings will do, but not one card fewer than were committed to.
    assert_eq!(verify_reveal(&root, 8, &pick(&[7, 6, 5, 4, 3, 2, 1, 0])), Ok(cards(8)));
    assert_eq!(verify_reveal(&root, 7, &all[..7]), Err(RevealError::OtherRoot));
}

#[test]
fn each_card_needs_one_salt() {
    assert_eq!(Commitment::new(Vec::new(), Vec::new()), Err(CommitmentError::Empty));
    for (number, allowed) in [(2, false), (3, true), (4, false)] {
        let made = Commitment::new(cards(3), salts(number));
        let expect = CommitmentError::Salts { cards: 3, salts: number as usize };
        assert_eq!(made.err(), (!allowed).then_some(expect));
    }
}

/// A source that counts, and fails when it is told to.
struct Counter {
    next: u8,
    fails_at: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exhausted;

impl core::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("exhausted")
    }
}

impl core::error::Error for Exhausted {}

impl TryRng for Counter {
    type Error = Exhausted;
    fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
        Err(Exhausted)
    }
    fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
        Err(Exhausted)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Exhausted> {
        if self.next == self.fails_at {
            return Err(Exhausted);
        }
        bytes.fill(self.next);
        self.next += 1;
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

#[test]
fn salts_are_drawn_for_every_card_or_there_is_no_commitment() {
    let made = Commitment::commit_with(&mut Counter { next: 1, fails_at: 4 }, cards(3)).unwrap();
    let expect = [1, 2, 3].map(|byte| Salt::from_bytes([byte; 32])).to_vec();
    assert_eq!(made, Commitment::new(cards(3), expect).unwrap());
    let failed = Commitment::commit_with(&mut Counter { next: 1, fails_at: 3 }, cards(3)).unwrap_err();
    assert_eq!(failed, CommitError::Source(Exhausted));
    assert_eq!(failed.to_string(), "the source of randomness failed: exhausted");
    let empty = Commitment::commit_with(&mut Counter { next: 1, fails_at: 1 }, Vec::new()).unwrap_err();
    assert_eq!(empty, CommitError::Commitment(CommitmentError::Empty));
}

#[test]
fn debug_output_shows_neither_cards_nor_salts() {
    let commitment = commitment(3).unwrap();
    let proof = commitment.proof(1).unwrap();
    let root = commitment.root();
    assert_eq!(format!("{commitment:?}"), format!("Commitment {{ root: Root({root}), .. }}"));
    assert_eq!(format!("{proof:?}"), "Proof { position: 1, .. }");
    assert_eq!(format!("{:?}", proof.opening()), "Opening { position: 1, .. }");
    assert_eq!(format!("{:?}", proof.salt), "Salt(..)");
}

proptest! {
    /// Whatever is changed in a proof, it no longer leads to the root.
    #[test]
    fn a_changed_proof_fails(
        number in 2..=520_u32,
        at in any::<prop::sample::Index>(),
        elsewhere in any::<prop::sample::Index>(),
        bit in 0..256_usize,
    ) {
        let commitment = commitment(number)?;
        let size = number as usize;
        let root = commitment.root();
        let position = at.index(size);
        let proof = commitment.proof(position).ok_or_else(|| TestCaseError::fail("no proof"))?;
        prop_assert_eq!(proof.verify(&root, size), Ok(()));

        let moved = Proof { position: elsewhere.index(size), ..proof.clone() };
        prop_assert_eq!(moved.verify(&root, size).is_ok(), moved.position == position);

        let card = other_card(proof.card).ok_or_else(|| TestCaseError::fail("no card"))?;
        prop_assert_eq!(Proof { card, ..proof.clone() }.verify(&root, size), Err(ProofError::OtherRoot));

        let mut salt = *proof.salt.as_bytes();
        salt[bit / 8] ^= 1 << (bit % 8);
        let salted = Proof { salt: Salt::from_bytes(salt), ..proof.clone() };
        prop_assert_eq!(salted.verify(&root, size), Err(ProofError::OtherRoot));

        let level = elsewhere.index(proof.path.len());
        let mut bent = proof.clone();
        bent.path[level] = other_hash(&bent.path[level]);
        prop_assert_eq!(bent.verify(&root, size), Err(ProofError::OtherRoot));

        let expected = proof.path.len();
        let mut shortened = proof.clone();
        shortened.path.remove(level);
        let error = ProofError::PathLength { expected, found: expected - 1 };
        prop_assert_eq!(shortened.verify(&root, size), Err(error));

        let mut lengthened = proof.clone();
        lengthened.path.insert(level, proof.path[level]);
        let error = ProofError::PathLength { expected, found: expected + 1 };
        prop_assert_eq!(lengthened.verify(&root, size), Err(error));

        let mut bytes = *root.as_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert_eq!(proof.verify(&Root::from_bytes(bytes), size), Err(ProofError::OtherRoot));
    }

    /// One changed card or salt, or two cards exchanged, is another order.
    #[test]
    fn a_changed_reveal_fails(
        number in 2..=520_u32,
        at in any::<prop::sample::Index>(),
        elsewhere in any::<prop::sample::Index>(),
    ) {
        let commitment = commitment(number)?;
        let size = number as usize;
        let all = commitment.reveal_all();
        let (one, other) = (at.index(size), elsewhere.index(size));
        let check = |openings: &[Opening]| verify_reveal(&commitment.root(), size, openings);

        let mut changed = all.clone();
        changed[one].card = other_card(all[one].card).ok_or_else(|| TestCaseError::fail("no card"))?;
        prop_assert_eq!(check(&changed), Err(RevealError::OtherRoot));

        let mut changed = all.clone();
        changed[one].salt = Salt::from_bytes([0; 32]);
        prop_assert_eq!(check(&changed), Err(RevealError::OtherRoot));

        let mut changed = all.clone();
        changed[one].position = other;
        changed[other].position = one;
        prop_assert_eq!(check(&changed).is_ok(), one == other);
    }

    #[test]
    fn roots_hashes_and_salts_come_back_from_their_text(bytes in any::<[u8; 32]>()) {
        let (root, hash, salt) = (Root::from_bytes(bytes), NodeHash::from_bytes(bytes), Salt::from_bytes(bytes));
        prop_assert_eq!(root.to_string().parse(), Ok(root));
        prop_assert_eq!(hash.to_string().parse(), Ok(hash));
        prop_assert_eq!(salt.to_hex().parse(), Ok(salt));
    }
}

/// The infallible sources of the simulators can be used as well as the operating system's.
#[test]
fn an_infallible_source_will_do() {
    struct Zeros;
    impl TryRng for Zeros {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(0);
            Ok(())
        }
    }
    impl TryCryptoRng for Zeros {}
    assert!(Commitment::commit_with(&mut Zeros, cards(3)).is_ok());
}
