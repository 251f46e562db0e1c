import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { fullName } from '../../auth/entities/user.entity.js';
import type { InvitationDto } from './dto/invitation.dto.js';
import { invitationErrors } from '../zones.errors.js';
import { InvitationListRepository, type PendingInvitation } from './invitation-list.repository.js';

/** Reads the pending invitations of a zone, and the invitation behind an emailed link. */
@Injectable()
export class InvitationListService {
  constructor(
    private readonly clock: Clock,
    private readonly invitations: InvitationListRepository,
  ) {}

  /** Newest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<InvitationDto>> {
    const rows = await this.invitations.listPending(zoneId, limit + 1, cursor);
    const page = toPage(rows, limit, await this.invitations.countPending(zoneId), ({ id }) => [id]);
    return { ...page, items: page.items.map((row) => this.toDto(row)) };
  }

  /** @throws INVITATION_NOT_FOUND */
  async findOne(zoneId: number, id: number): Promise<InvitationDto> {
    const row = await this.invitations.findPending(zoneId, id);
    if (!row) throw invitationErrors.INVITATION_NOT_FOUND();
    return this.toDto(row);
  }

  /**
   * Finds an invitation without changing anything, because email scanners follow links.
   * @throws INVITATION_INVALID, without distinction, if it is unknown, revoked or expired; if it was used and the
   * membership has ended; if the zone is deleted, or the owner or the person is deactivated; and if the address now
   * belongs to a blocked person
   */
  async findByToken(token: string) {
    const digest = digestOf(token);
    const row = await this.invitations.findByDigest(digest);
    if (!row || !(row.used ? row.isMember : row.expiresAt > this.clock.now()))
      throw invitationErrors.INVITATION_INVALID();
    const { inviterFirstName, inviterLastName, isMember: _, ...found } = row;
    const inviter = { firstName: inviterFirstName, lastName: inviterLastName };
    return { ...found, digest, inviterName: fullName(inviter) };
  }

  private toDto(row: PendingInvitation): InvitationDto {
    const { inviterFirstName, inviterLastName, inviterUsername, ...invitation } = row;
    const name = fullName({ firstName: inviterFirstName, lastName: inviterLastName });
    return {
      ...invitation,
      invitedBy: name || inviterUsername,
      isExpired: invitation.expiresAt <= this.clock.now(),
    };
  }
}

export type FoundInvitation = Awaited<ReturnType<InvitationListService['findByToken']>>;
