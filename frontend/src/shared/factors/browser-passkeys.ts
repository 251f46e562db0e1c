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

/** WebAuthn options from the server, passed to the browser unchanged. */
type WebAuthnOptions = Record<string, unknown>;

/** Whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean => browserSupportsWebAuthn();

/** Asks the browser to create a passkey. */
export async function createPasskey(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

/** Asks the browser for a passkey. Cancels a pending autofill request. */
export async function requestPasskey(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** Whether passkeys can be offered in the browser's autofill. */
export const supportsPasskeyAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Offers passkeys in the field with `autocomplete="… webauthn"` until one is chosen or the request is cancelled. */
export async function requestPasskeyAutofill(options: WebAuthnOptions): Promise<Record<string, unknown>> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: true })) };
}

/** Cancels any pending passkey request. */
export const cancelPasskeyRequest = (): void => WebAuthnAbortService.cancelCeremony();

/**
 * Why the browser returned no passkey: another request replaced this one, the user cancelled or had none (browsers
 * don't say which), the device already has one, or something else failed. Null if the error isn't the browser's.
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
