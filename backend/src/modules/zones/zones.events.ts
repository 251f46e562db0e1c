import type { JoinMethod } from './entities/zone-member.entity.js';
import type { ZoneType } from './entities/zone.entity.js';

/** The zone in which somebody comes or goes. */
export interface MembershipZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
}

/** People who came in together, by one way. */
export interface MembersJoined {
  readonly zone: MembershipZone;
  readonly userIds: readonly number[];
  readonly method: JoinMethod;
}

declare module '../../platform/events/domain-events.js' {
  interface DomainEvents {
    /** Told before the counts of the zone, which are locked until the commit after it. */
    'zone.membersJoined': MembersJoined;
    /** Somebody is let in who asked by a link with days of membership; told before the counts of the zone. */
    'zone.requestApproved': { readonly userId: number; readonly linkId: number };
    /** A zone has become private or public. */
    'zone.typeChanged': { readonly zoneId: number; readonly type: ZoneType; readonly actorId: number };
    /**
     * A deleted zone is being purged: each module removes what it keeps of it beside rows that go with it. Not in a
     * transaction but in steps of its own, and told again after a crash until all have ended.
     */
    'zone.purging': { readonly zoneId: number; readonly ownerId: number };
  }
}
