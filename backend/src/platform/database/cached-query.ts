import { createQueryId, type Compilable, type CompiledQuery } from 'kysely';

/** Stands for a value that is supplied when the query is executed. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * Compiles a query once and reuses it, for frequently requested lists: building the query takes as long as reading its
 * rows.
 * @param build returns the query; it may use its argument only in place of values, never to decide what is built
 */
export function cachedQuery<V extends object, R>(build: (values: V) => Compilable<R>): (values: V) => CompiledQuery<R> {
  let compiled: CompiledQuery<R> | undefined;
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as V;
  return (values) => {
    compiled ??= build(placeholders).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof V] : parameter,
    );
    return { ...compiled, queryId: createQueryId(), parameters };
  };
}
