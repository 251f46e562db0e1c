import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** At most so many of one person. */
export const MAX_PASSKEYS = 10;

const BASE64URL = /^[\w-]+$/;
/** Characters in base64url: an id has 1023 bytes at most. */
const MAX_CREDENTIAL_ID_LENGTH = 1364;
const MAX_FIELD_LENGTH = 16_000;

const isBase64UrlField = (value: unknown, longest = MAX_FIELD_LENGTH): value is string =>
  typeof value === 'string' && value.length <= longest && BASE64URL.test(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasFields(value: unknown, parts: readonly string[]): value is Record<string, Record<string, unknown>> {
  if (!isObject(value) || !isObject(value.response)) return false;
  if (value.type !== 'public-key' || !isBase64UrlField(value.id, MAX_CREDENTIAL_ID_LENGTH) || value.rawId !== value.id)
    return false;
  const { response } = value;
  return parts.every((part) => isBase64UrlField(response[part]));
}

/** Whether something has the form of what a browser answers when a passkey signs in; nothing of it is verified here. */
export function isAuthenticationResponse(value: unknown): value is AuthenticationResponseJSON {
  if (!hasFields(value, ['clientDataJSON', 'authenticatorData', 'signature'])) return false;
  const { userHandle } = value.response!;
  return userHandle === undefined || userHandle === null || userHandle === '' || isBase64UrlField(userHandle);
}

/** Whether something has the form of what a browser answers when a passkey was made; nothing of it is verified here. */
export function isRegistrationResponse(value: unknown): value is RegistrationResponseJSON {
  if (!hasFields(value, ['clientDataJSON', 'attestationObject'])) return false;
  const { transports } = value.response!;
  if (transports === undefined) return true;
  return Array.isArray(transports) && transports.length <= 10 && transports.every((one) => isBase64UrlField(one, 20));
}
