import { createQueryId, type Compilable, type CompiledQuery } from 'kysely';

/** Stands in a query for a value that comes later. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query that is put together once, for lists that are asked for all the time: building it anew takes as long as
 * reading its rows.
 * @param build gives the query; what it takes may only stand where a value does, never decide what is built
 */
export function cachedQuery<V extends object, R>(build: (values: V) => Compilable<R>): (values: V) => CompiledQuery<R> {
  let compiled: CompiledQuery<R> | undefined;
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as V;
  return (values) => {
    compiled ??= build(placeholders).compile();
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? values[one.name as keyof V] : one,
    );
    return { ...compiled, queryId: createQueryId(), parameters };
  };
}
