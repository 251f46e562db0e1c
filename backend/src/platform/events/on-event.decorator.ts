import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEvents, EventName } from './domain-events.js';

export const ON_EVENT = 'zonary:on-event';
export const AFTER_COMMIT = 'zonary:after-commit';

/** A method that handles an event in the publisher's transaction. */
export type EventHandler<E extends EventName> = (em: EntityManager, event: DomainEvents[E]) => Promise<unknown>;

/** Maps an event to the payload of the job that follows it; null to enqueue no job. */
export type PayloadOf<E extends EventName, P extends object> = (event: DomainEvents[E]) => P | null;

/** An event after which a job is enqueued. */
export interface FollowUp<E extends EventName = EventName, P extends object = object> {
  readonly event: E;
  readonly payloadOf: PayloadOf<E, P>;
}

/**
 * Calls the decorated provider method when the event is emitted, in the publisher's transaction. If it throws, the
 * whole transaction is rolled back. It must be short, and take locks in the order of docs/rules.md.
 */
export function OnEvent<E extends EventName>(event: E) {
  return <M extends EventHandler<E>>(_target: object, _name: string, { value }: TypedPropertyDescriptor<M>): void =>
    appendMetadata(ON_EVENT, value!, event);
}

/**
 * Enqueues the job of a method decorated with `@OnJob` when the event is emitted, in the same transaction. The job runs
 * only if that transaction commits, even if the process is killed before the job starts.
 * @param payloadOf creates the job's payload, which is stored and so should contain ids; null to enqueue no job
 */
export function AfterCommit<E extends EventName, P extends object>(event: E, payloadOf: PayloadOf<E, P>) {
  return <M extends (payload: P, ...rest: never[]) => Promise<unknown>>(
    _target: object,
    _name: string,
    { value }: TypedPropertyDescriptor<M>,
  ): void => appendMetadata(AFTER_COMMIT, value!, { event, payloadOf });
}

/** A method may have several events. Decorators are applied from the last to the first, hence the order. */
function appendMetadata(key: string, method: object, entry: unknown): void {
  const existing = (Reflect.getMetadata(key, method) as unknown[] | undefined) ?? [];
  Reflect.defineMetadata(key, [entry, ...existing], method);
}
