/** Results of the security test: response counts by part, and findings. */
export class Findings {
  #parts = new Map();
  #messages = [];
  #statuses = new Map();

  /** Counts a response of a part. */
  count(part, { status, ms }) {
    const counts = this.#parts.get(part) ?? {
      requests: 0,
      '2xx': 0,
      '3xx': 0,
      '4xx': 0,
      '5xx': 0,
      'no response': 0,
      'slowest (ms)': 0,
    };
    counts.requests++;
    counts[status === 0 ? 'no response' : `${Math.floor(status / 100)}xx`]++;
    counts['slowest (ms)'] = Math.max(counts['slowest (ms)'], Math.round(ms));
    this.#parts.set(part, counts);
    const statuses = this.#statuses.get(part) ?? new Map();
    this.#statuses.set(part, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  /** How often each status was returned to a part; 0 is a connection closed without a response. */
  formatStatuses(part) {
    const statuses = [...(this.#statuses.get(part) ?? [])].sort(([a], [b]) => a - b);
    return statuses.map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  /** Adds a finding. */
  add(part, what) {
    this.#messages.push(`${part}: ${what}`);
  }

  /** Adds a finding if a request that must succeed failed: the part would have tested nothing. */
  checkPrecondition(part, what, response, status) {
    if (response.status !== status)
      this.add(part, `precondition failed: ${what}: ${response.status} ${response.text.slice(0, 200)}`);
    return response;
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
    console.log(`${this.total} requests, ${this.#messages.length} findings`);
    for (const line of this.#messages) console.log(`- ${line}`);
    return this.#messages.length;
  }
}

/** A slower response to a single request is a finding. */
export const SLOW_MS = 1000;

/** The resource type of a path with an id: `passkeys` for `/api/user/passkeys/{id}`. */
export const resourceTypeOf = (path) => /^\/api\/(?:(?:admin|user)\/)?([\w-]+)\/\{/.exec(path)?.[1] ?? null;

/**
 * Runs `work` for each item until a deadline.
 * @param concurrency number of items at a time
 * @param deadline in terms of `performance.now()`
 * @returns the number of items left
 */
export async function forEachConcurrently(items, concurrency, deadline, work) {
  const remaining = [...items];
  const worker = async () => {
    for (let item = remaining.shift(); item !== undefined && performance.now() < deadline; item = remaining.shift())
      await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return remaining.length;
}

/** The operations of the OpenAPI document. */
export function operationsOf(contract) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
