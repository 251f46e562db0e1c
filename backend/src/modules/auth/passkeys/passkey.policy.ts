import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** Per user. */
export const MAX_PASSKEYS = 10;

const BASE64URL = /^[\w-]+$/;
/** Base64url characters: a credential id has at most 1023 bytes. */
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

/** Checks only the shape of an authentication response; nothing is verified cryptographically. */
export function isAuthenticationResponse(value: unknown): value is AuthenticationResponseJSON {
  if (!hasFields(value, ['clientDataJSON', 'authenticatorData', 'signature'])) return false;
  const { userHandle } = value.response!;
  return userHandle === undefined || userHandle === null || userHandle === '' || isBase64UrlField(userHandle);
}

/** Checks only the shape of a registration response; nothing is verified cryptographically. */
export function isRegistrationResponse(value: unknown): value is RegistrationResponseJSON {
  if (!hasFields(value, ['clientDataJSON', 'attestationObject'])) return false;
  const { transports } = value.response!;
  if (transports === undefined) return true;
  return (
    Array.isArray(transports) &&
    transports.length <= 10 &&
    transports.every((transport) => isBase64UrlField(transport, 20))
  );
}
