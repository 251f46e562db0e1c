const PERSONAL_KEY =
  /^(e-?mail|phone|order_key|payment_url|first_name|last_name|company|address\w*|postcode|city|state|ip\w*|user_agent|(tax|vat|national)_?(id|number)\w*|customer_(ip|user|email|name|note)\w*|(billing|shipping)_(?!tax|total)\w+)$/i;
/** Objects whose content may be personal, including what shop extensions add to orders. */
const PERSONAL_OBJECT_KEY =
  /^((billing|shipping|customer|payer|recipient|card)(_details|_address)?|metadata|meta_data)$/i;
const EMAIL_ADDRESS = /[^\s@"<>]+@[^\s@"<>]+/g;
const MASK = '•••';
/** No sender nests its bodies so deeply; indentation would make such a body many times larger. */
const MAX_DEPTH = 100;

/**
 * Masks personal data of the customer, and secrets that give access to the order, for admins who need to see the
 * structure of a body. A body that isn't JSON, or is nested too deeply, isn't shown at all.
 */
export function maskBody(text: string): string {
  try {
    return JSON.stringify(maskValue(JSON.parse(text), false, 0), null, 2);
  } catch {
    return MASK;
  }
}

/** @throws RangeError for a value that is nested too deeply */
function maskValue(value: unknown, isPersonal: boolean, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isPersonal, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        maskValue(inner, isPersonal || PERSONAL_KEY.test(key) || PERSONAL_OBJECT_KEY.test(key), depth + 1),
      ]),
    );
  }
  if (typeof value === 'string') return isPersonal && value !== '' ? MASK : value.replace(EMAIL_ADDRESS, MASK);
  return isPersonal && typeof value === 'number' ? MASK : value;
}
