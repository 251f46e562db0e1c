/** Results of the attack: counts by part, and findings. */
export class Findings {
  #parts = new Map();
  #found = [];
  #statuses = new Map();

  /** Counts a request of a part. */
  count(part, { status, ms }) {
    const counts = this.#parts.get(part) ?? {
      requests: 0,
      '2xx': 0,
      '3xx': 0,
      '4xx': 0,
      '5xx': 0,
      none: 0,
      slowest: 0,
    };
    counts.requests++;
    counts[status === 0 ? 'none' : `${Math.floor(status / 100)}xx`]++;
    counts.slowest = Math.max(counts.slowest, Math.round(ms));
    this.#parts.set(part, counts);
    const statuses = this.#statuses.get(part) ?? new Map();
    this.#statuses.set(part, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  /** How often each status was returned to a part; 0 is a connection closed without a response. */
  statuses(part) {
    const statuses = [...(this.#statuses.get(part) ?? [])].sort(([a], [b]) => a - b);
    return statuses.map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  /** Adds a finding. */
  add(part, what) {
    this.#found.push(`${part}: ${what}`);
  }

  /** Adds a finding if a request that must succeed failed: the part would have tested nothing. */
  control(part, what, answer, status) {
    if (answer.status !== status)
      this.add(part, `did not try: ${what} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer;
  }

  get total() {
    return [...this.#parts.values()].reduce((sum, { requests }) => sum + requests, 0);
  }

  /**
   * Prints the results.
   * @returns the number of findings
   */
  print() {
    console.table(Object.fromEntries(this.#parts));
    console.log(`${this.total} requests, ${this.#found.length} findings`);
    for (const line of this.#found) console.log(`- ${line}`);
    return this.#found.length;
  }
}

/** In milliseconds. A slower response to a single request is a finding. */
export const SLOW = 1000;

/** The resource kind of a path with an id: `passkeys` for `/api/user/passkeys/{id}`. */
export const kindOf = (path) => /^\/api\/(?:(?:admin|user)\/)?([\w-]+)\/\{/.exec(path)?.[1] ?? null;

/** Runs `work` for each item, `lanes` at a time, until `until` (in terms of `performance.now()`). */
export async function each(items, lanes, until, work) {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined && performance.now() < until; item = left.shift())
      await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return left.length;
}

/** The operations of the OpenAPI document. */
export function operationsOf(contract) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
