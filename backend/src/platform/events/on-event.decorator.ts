import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEvents, EventName } from './domain-events.js';

export const ON_EVENT = 'zonary:on-event';
export const AFTER_COMMIT = 'zonary:after-commit';

/** A method that takes part in what an event tells of. */
export type EventHandler<E extends EventName> = (em: EntityManager, event: DomainEvents[E]) => Promise<unknown>;

/** What the job that follows an event is given; null when there is nothing to do. */
export type PayloadOf<E extends EventName, P extends object> = (event: DomainEvents[E]) => P | null;

/** One event after which a job is done. */
export interface FollowUp<E extends EventName = EventName, P extends object = object> {
  readonly event: E;
  readonly payloadOf: PayloadOf<E, P>;
}

/**
 * Marks a method of a provider that is called when an event is told, in the transaction of whoever tells it: when it
 * throws, nothing of all that happened. It must be short, and take its locks in the order of docs/rules.md.
 */
export function OnEvent<E extends EventName>(event: E) {
  return <M extends EventHandler<E>>(_target: object, _name: string, { value }: TypedPropertyDescriptor<M>): void =>
    appendMetadata(ON_EVENT, value!, event);
}

/**
 * Marks a method with `@OnJob` whose job is written when an event is told, in the same transaction: it is done if, and only
 * if, that commits, also when the process is killed before it begins.
 * @param payloadOf makes the payload of the job: ids, because it is stored; null when there is nothing to do
 */
export function AfterCommit<E extends EventName, P extends object>(event: E, payloadOf: PayloadOf<E, P>) {
  return <M extends (payload: P, ...rest: never[]) => Promise<unknown>>(
    _target: object,
    _name: string,
    { value }: TypedPropertyDescriptor<M>,
  ): void => appendMetadata(AFTER_COMMIT, value!, { event, payloadOf });
}

/** A method may be marked several times: with several events. Decorators are run from the lowest up. */
function appendMetadata(key: string, method: object, entry: unknown): void {
  const existing = (Reflect.getMetadata(key, method) as unknown[] | undefined) ?? [];
  Reflect.defineMetadata(key, [entry, ...existing], method);
}
