const PERSONAL_KEY =
  /^(e-?mail|phone|order_key|payment_url|first_name|last_name|company|address\w*|postcode|city|state|ip\w*|user_agent|(tax|vat|national)_?(id|number)\w*|customer_(ip|user|email|name|note)\w*|(billing|shipping)_(?!tax|total)\w+)$/i;
/** What shops and their extensions hang on orders may be anything. */
const PERSONAL_OBJECT_KEY =
  /^((billing|shipping|customer|payer|recipient|card)(_details|_address)?|metadata|meta_data)$/i;
const EMAIL_ADDRESS = /[^\s@"<>]+@[^\s@"<>]+/g;
const MASK = '•••';
/** No sender nests its bodies so deeply; indented, a body that does would grow to many times its size. */
const MAX_DEPTH = 100;

/**
 * A body with the personal data of the customer, and what opens their order, made unreadable, for admins who need to see
 * its shape. A body that is no JSON, or nested too deeply to be read, is not shown at all.
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
  if (Array.isArray(value)) return value.map((one) => maskValue(one, isPersonal, depth + 1));
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
