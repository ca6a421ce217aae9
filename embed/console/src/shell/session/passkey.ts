// Passkeys in the browser: the options of the API go in, what the API takes comes out.
import type { Schema } from '../api/client';

/** Whether this browser has passkeys: over https or on localhost, under a host name. */
export const passkeysWork = (): boolean =>
  window.isSecureContext && typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname);

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

function base64url(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

const named = (list: readonly { id: string; transports?: readonly string[] }[]): PublicKeyCredentialDescriptor[] =>
  list.map((d) => ({ type: 'public-key', id: bytes(d.id), transports: d.transports as AuthenticatorTransport[] | undefined }));

/** Makes a passkey on a device of the person's choice. It throws when the person does not. */
export async function makePasskey(o: Schema<'SessionCreation'>['public_key']): Promise<Schema<'SessionPresented'>> {
  const made = (await navigator.credentials.create({
    publicKey: {
      rp: o.rp,
      user: { ...o.user, id: bytes(o.user.id) },
      challenge: bytes(o.challenge),
      timeout: o.timeout,
      pubKeyCredParams: o.pubKeyCredParams.map((p) => ({ type: 'public-key', alg: p.alg })),
      excludeCredentials: named(o.excludeCredentials),
      authenticatorSelection: o.authenticatorSelection as AuthenticatorSelectionCriteria,
      attestation: 'none',
    },
  })) as PublicKeyCredential;
  const answer = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(answer.clientDataJSON),
      attestationObject: base64url(answer.attestationObject),
      transports: answer.getTransports?.() ?? [],
    },
  };
}

/** Lets the person use a passkey. It throws when the person does not. */
export async function signWithPasskey(o: Schema<'SessionAssertion'>['public_key']): Promise<Schema<'SessionPresented'>> {
  const used = (await navigator.credentials.get({
    publicKey: {
      challenge: bytes(o.challenge),
      timeout: o.timeout,
      rpId: o.rpId,
      allowCredentials: named(o.allowCredentials),
      userVerification: o.userVerification as UserVerificationRequirement,
    },
  })) as PublicKeyCredential;
  const answer = used.response as AuthenticatorAssertionResponse;
  return {
    id: used.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(answer.clientDataJSON),
      authenticatorData: base64url(answer.authenticatorData),
      signature: base64url(answer.signature),
      ...(answer.userHandle && { userHandle: base64url(answer.userHandle) }),
    },
  };
}

/** What the browser says when the person closed its dialog, waited too long, or has none. */
export const notDone = (thrown: unknown): boolean => thrown instanceof DOMException;

/** The device has a passkey for this service already. */
export const alreadyThere = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'InvalidStateError';
