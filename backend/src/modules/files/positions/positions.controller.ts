import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { ReadingPositionDto, SavePositionDto } from '../dto/reading-position.dto.js';
import { fileErrors } from '../files.errors.js';
import { ReadingPositionService } from './reading-position.service.js';

@ApiTags('files')
@Controller('api/files')
export class PositionsController {
  constructor(private readonly readingPosition: ReadingPositionService) {}

  // Both use the higher rate limit: a class behind one IP address that reads must not exhaust the normal one.
  @Get(':id/position')
  @FileAccess('read')
  @ThumbnailRate()
  @ApiJson('Get where you stopped reading a file, on any device', ReadingPositionDto)
  get(@CurrentFile() { id }: AccessibleFile, @CurrentViewer() { userId }: Viewer): Promise<ReadingPositionDto> {
    return this.readingPosition.findPosition(id, userId);
  }

  @Post(':id/position')
  @FileAccess('read')
  @AllowIncompleteProfile()
  @ThumbnailRate()
  @ApiNoContent('Save where you are in a file: a page of a document, or a second of audio or video')
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.NOTHING_TO_PLAY)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  save(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Body() position: SavePositionDto,
  ): Promise<void> {
    return this.readingPosition.savePosition(file, userId, position);
  }
}
