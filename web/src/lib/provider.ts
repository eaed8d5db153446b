// Coming back from the identity provider: what its answer in the address of the page says.

/** The page that the provider sends browsers to. */
const RETURN_PATH = "/sign-in/provider";

/** What the provider answered, or that it did not let somebody in. */
export type Answer = { code: string; state: string; issuer?: string } | { error: string };

/** The provider's answer, if this is the page that it sends browsers to. */
export function answered(path: string, search: string): Answer | undefined {
  if (path.replace(/\/+$/, "") !== RETURN_PATH) return undefined;
  const told = new URLSearchParams(search);
  const [code, state, issuer] = [told.get("code"), told.get("state"), told.get("iss")];
  if (code === null || state === null) return { error: told.get("error") ?? "no answer" };
  return issuer === null ? { code, state } : { code, state, issuer };
}
