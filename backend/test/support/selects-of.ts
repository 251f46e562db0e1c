import type { CompiledQuery } from 'kysely';
import type { FileSchema } from '../../src/modules/files/entities/file.entity.js';
import { query } from '../../src/platform/database/query.js';
import type { World } from './world.js';

/** Records the query builder's SELECTs while `work` runs. */
export async function selectsOf<T>(
  world: World,
  work: () => Promise<T>,
): Promise<{ queries: CompiledQuery[]; answer: T }> {
  const builder = query<typeof FileSchema>(world.testApp.em()).selectFrom('files');
  const prototype = Object.getPrototypeOf(builder) as { execute: (this: typeof builder) => Promise<unknown> };
  const queries: CompiledQuery[] = [];
  const { execute } = prototype;
  const spy = jest.spyOn(prototype, 'execute').mockImplementation(function (this: typeof builder) {
    queries.push(this.compile());
    return execute.call(this);
  });
  try {
    return { answer: await work(), queries };
  } finally {
    spy.mockRestore();
  }
}
