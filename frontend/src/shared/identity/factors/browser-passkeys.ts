import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Options of WebAuthn as the server gives them, to be handed to the browser as they are. */
type Options = Record<string, unknown>;

/** Whether this browser can do anything with passkeys. */
export const knowsPasskeys = (): boolean => browserSupportsWebAuthn();

/** Has the browser make a passkey. */
export async function makePasskey(options: Options): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

/** Has the browser ask for a passkey; an offer that stands in a field ends. */
export async function askPasskey(options: Options): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** Whether passkeys can be offered among what the browser fills in. */
export const canOfferPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Offers passkeys in the field with `autocomplete="… webauthn"`, for as long as nobody takes one or ends it. */
export async function offerPasskeys(options: Options): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: true })) };
}

/** Ends whatever the browser asks or offers. */
export const endPasskeys = (): void => WebAuthnAbortService.cancelCeremony();

/**
 * Why the browser gave no passkey: another question took its place, the person would not or had none (browsers do not
 * tell which), the device has one already, or something else. Null for an error that is none of the browser's.
 */
export type PasskeyTrouble = 'replaced' | 'cancelled' | 'known' | 'failed';

const troubles: Record<string, PasskeyTrouble> = {
  ERROR_CEREMONY_ABORTED: 'replaced',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'cancelled',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'known',
};

export function troubleOf(error: unknown): PasskeyTrouble | null {
  if (error instanceof WebAuthnError) return troubles[error.code] ?? 'failed';
  return error instanceof DOMException ? 'failed' : null;
}
