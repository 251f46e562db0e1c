const PERSONAL =
  /^(e-?mail|phone|order_key|payment_url|first_name|last_name|company|address\w*|postcode|city|state|ip\w*|user_agent|(tax|vat|national)_?(id|number)\w*|customer_(ip|user|email|name|note)\w*|(billing|shipping)_(?!tax|total)\w+)$/i;
/** What shops and their extensions hang on orders may be anything. */
const HOLDERS = /^((billing|shipping|customer|payer|recipient|card)(_details|_address)?|metadata|meta_data)$/i;
const ADDRESS = /[^\s@"<>]+@[^\s@"<>]+/g;
const MASK = '•••';
/** No sender nests its bodies so deeply; indented, a body that does would grow to many times its size. */
const DEEPEST = 100;

/**
 * A body with the personal data of the customer, and what opens their order, made unreadable, for admins who need to see
 * its shape. A body that is no JSON, or nested too deeply to be read, is not shown at all.
 */
export function maskBody(text: string): string {
  try {
    return JSON.stringify(masked(JSON.parse(text), false, 0), null, 2);
  } catch {
    return MASK;
  }
}

/** @throws RangeError for a value that is nested too deeply */
function masked(value: unknown, personal: boolean, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) return value.map((one) => masked(one, personal, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        masked(inner, personal || PERSONAL.test(key) || HOLDERS.test(key), depth + 1),
      ]),
    );
  }
  if (typeof value === 'string') return personal && value !== '' ? MASK : value.replace(ADDRESS, MASK);
  return personal && typeof value === 'number' ? MASK : value;
}
