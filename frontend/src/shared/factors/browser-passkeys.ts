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
type WebAuthnOptions = Record<string, unknown>;

/** Whether this browser can do anything with passkeys. */
export const supportsPasskeys = (): boolean => browserSupportsWebAuthn();

/** Has the browser make a passkey. */
export async function createPasskey(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

/** Has the browser ask for a passkey; an offer that stands in a field ends. */
export async function requestPasskey(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** Whether passkeys can be offered among what the browser fills in. */
export const supportsPasskeyAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Offers passkeys in the field with `autocomplete="… webauthn"`, for as long as nobody takes one or ends it. */
export async function requestPasskeyAutofill(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: true })) };
}

/** Ends whatever the browser asks or offers. */
export const cancelPasskeyRequest = (): void => WebAuthnAbortService.cancelCeremony();

/**
 * Why the browser gave no passkey: another question took its place, the person would not or had none (browsers do not
 * tell which), the device has one already, or something else. Null for an error that is none of the browser's.
 */
export type PasskeyErrorType = 'replaced' | 'cancelled' | 'known' | 'failed';

const errorTypeByCode: Record<string, PasskeyErrorType> = {
  ERROR_CEREMONY_ABORTED: 'replaced',
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: 'cancelled',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'known',
};

export function passkeyErrorTypeOf(error: unknown): PasskeyErrorType | null {
  if (error instanceof WebAuthnError) return errorTypeByCode[error.code] ?? 'failed';
  return error instanceof DOMException ? 'failed' : null;
}
