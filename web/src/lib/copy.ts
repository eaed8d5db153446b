// Copying a text for somebody. Browsers allow it only on secure pages.
import { common } from "../i18n/common";
import { t } from "../i18n/text.svelte";
import { notices } from "./notices.svelte";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notices.say(t(common.copied));
  } catch {
    notices.say(t(common.notCopied));
  }
}
