import { Injectable } from '@nestjs/common';
import type { FirstFileDto } from './dto/join.dto.js';
import { LinkZoneRepository } from './link-zone.repository.js';

/** Number of names that a link shows. */
const MAX_SHOWN = 6;

interface PreviewOptions {
  readonly zoneId: number;
  /** True if the owner allows links to show file names. */
  readonly showFiles: boolean;
  readonly fileCount: number;
}

/** Provides the first file names of a zone for people with a link. */
@Injectable()
export class LinkFilePreviewService {
  constructor(private readonly zones: LinkZoneRepository) {}

  /** Returns the first names at the zone's root, and the number of other files. */
  async getPreview({
    zoneId,
    showFiles,
    fileCount,
  }: PreviewOptions): Promise<{ firstFiles: FirstFileDto[]; moreFiles: number }> {
    if (!showFiles) return { firstFiles: [], moreFiles: 0 };
    const firstFiles = await this.zones.findFirstFiles(zoneId, MAX_SHOWN);
    const files = firstFiles.filter(({ mimeType }) => mimeType !== null).length;
    return { firstFiles, moreFiles: Math.max(0, fileCount - files) };
  }
}
