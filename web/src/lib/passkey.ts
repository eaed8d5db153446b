// Passkeys, between what the server says in text and what browsers say in bytes.
import type { NewPasskey, PasskeyAsk, PasskeyAsked, PasskeyProof } from "../api/schema";

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Whether this browser, on this page, knows passkeys at all. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

const ES256 = -7;
const known = (id: string): PublicKeyCredentialDescriptor => ({ type: "public-key", id: bytesOf(id) });

/** Makes a passkey. */
export async function made(asked: PasskeyAsked): Promise<NewPasskey> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: bytesOf(asked.challenge),
    rp: { id: asked.host, name: "Croupier" },
    user: { id: bytesOf(asked.user), name: asked.name, displayName: asked.name },
    pubKeyCredParams: [{ type: "public-key", alg: ES256 }],
    excludeCredentials: asked.there.map(known),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
    attestation: "none",
  };
  const { response } = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const answer = response as AuthenticatorAttestationResponse;
  return { client_data: textOf(answer.clientDataJSON), authenticator_data: textOf(answer.getAuthenticatorData()) };
}

/** Shows a passkey. */
export async function shown(ask: PasskeyAsk): Promise<PasskeyProof> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytesOf(ask.challenge),
    rpId: ask.host,
    allowCredentials: ask.ids.map(known),
    userVerification: "preferred",
  };
  const { rawId, response } = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const answer = response as AuthenticatorAssertionResponse;
  return {
    id: textOf(rawId),
    client_data: textOf(answer.clientDataJSON),
    authenticator_data: textOf(answer.authenticatorData),
    signature: textOf(answer.signature),
  };
}
