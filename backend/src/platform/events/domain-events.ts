/**
 * Payload types by event name. Each module adds its own in its `*.events.ts`:
 * `declare module '…/domain-events.js' { interface DomainEvents { 'zone.memberJoined': MemberJoined } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- modules add their events
export interface DomainEvents {}

export type EventName = keyof DomainEvents;
