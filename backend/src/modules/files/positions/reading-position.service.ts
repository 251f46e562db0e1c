import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { FileAccessRepository, type AccessibleFile } from '../access/file-access.repository.js';
import type { ReadingPositionDto, SavePositionDto, UnfinishedDocumentDto } from '../dto/reading-position.dto.js';
import { fileErrors } from '../files.errors.js';
import { thumbnailUrlOf } from '../shared/thumbnail-url.js';
import { positionUnitOf } from './reading-position.policy.js';
import { ReadingPositionRepository } from './reading-position.repository.js';

/** Positions that a person may save. The web app sends at most 30 from one tab. */
const SAVE_RATE: RateRule = { name: 'reading-positions', limit: 120, window: MINUTE };
/** Positions kept of each person. */
const KEPT_POSITIONS = 100;

const missingUnit = { en: 'Send either a page or seconds.', tr: 'Sayfa veya saniyeden birini gönderin.' };

/** Remembers where people stopped reading, so that they continue there on any of their devices. */
@Injectable()
export class ReadingPositionService {
  constructor(
    private readonly positions: ReadingPositionRepository,
    private readonly access: FileAccessRepository,
    private readonly limits: RateLimitService,
  ) {}

  /**
   * Saves where the user is in a file. The last request wins, whichever device sent it.
   * @throws VALIDATION_FAILED unless there is exactly one of page and seconds; PAGE_NOT_FOUND for a page that the
   * document doesn't have, or while its pages aren't known; NOTHING_TO_PLAY; TOO_MANY_REQUESTS
   */
  async savePosition(
    file: Pick<AccessibleFile, 'id' | 'mimeType'>,
    userId: number,
    body: SavePositionDto,
  ): Promise<void> {
    // An optional field may also be null.
    const [page, seconds] = [body.page ?? null, body.seconds ?? null];
    if ((page === null) === (seconds === null)) throw fieldError('page', missingUnit);
    const unit = positionUnitOf(file.mimeType);
    if (seconds !== null && unit !== 'seconds') throw fileErrors.NOTHING_TO_PLAY();
    if (page !== null && unit !== 'page') throw fileErrors.PAGE_NOT_FOUND();
    await this.limits.consume(SAVE_RATE, userId);
    const fraction = page === null ? 0 : (body.fraction ?? 0);
    const result = await this.positions.savePosition(userId, file.id, { page, fraction, seconds });
    if (result === 'rejected') throw page === null ? fileErrors.FILE_NOT_FOUND() : fileErrors.PAGE_NOT_FOUND();
    if (result === 'inserted') await this.positions.deleteOldest(userId, KEPT_POSITIONS);
  }

  /** Returns where the user stopped in a file. */
  async findPosition(fileId: number, userId: number): Promise<ReadingPositionDto> {
    const position = await this.positions.findPosition(userId, fileId);
    return position ?? { page: null, fraction: 0, seconds: null, updatedAt: null };
  }

  /** Returns up to `limit` documents that the user began to read and can still read, latest first. */
  async listUnfinished(userId: number, limit: number): Promise<UnfinishedDocumentDto[]> {
    const rows = await this.positions.findUnfinished(userId);
    if (rows.length === 0) return [];
    const ids = rows.map(({ fileId }) => fileId);
    const files = new Map((await this.access.findFiles(ids, userId)).map((file) => [file.id, file]));
    const documents = rows.flatMap(({ fileId, version, hasThumbnail, ...row }): UnfinishedDocumentDto[] => {
      const file = files.get(fileId);
      if (!file) return [];
      const { id, originalName: name, zoneId, zoneName } = file;
      const thumbnailUrl = hasThumbnail ? thumbnailUrlOf({ id, version }) : null;
      return [{ id, name, zoneId, zoneName, ...row, thumbnailUrl }];
    });
    return documents.slice(0, limit);
  }
}
