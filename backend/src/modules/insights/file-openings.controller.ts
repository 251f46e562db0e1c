import { Controller, Get, Header, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/lists/list.js';
import { CurrentFile, FileAccess } from '../files/access/file-access.guard.js';
import type { AccessibleFile } from '../files/access/file-access.repository.js';
import { FileOpeningDto } from './dto/analytics.dto.js';
import { FileOpeningRepository } from './file-opening.repository.js';
import { createOpeningsCsv } from './insights-csv.js';

@ApiTags('insights')
@Controller('api/files')
export class FileOpeningsController {
  constructor(private readonly openings: FileOpeningRepository) {}

  @Get(':id/openings')
  @FileAccess('own')
  @ApiList()
  @ApiOperation({ summary: 'List who opened one of your files, latest first' })
  @ApiOkResponse({ type: [FileOpeningDto] })
  async list(
    @CurrentFile() file: AccessibleFile,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileOpeningDto[]> {
    return sendPage(response, await this.openings.listOpenings(file.id, page));
  }

  @Get(':id/openings.csv')
  @FileAccess('own')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @ApiOperation({ summary: 'Export who opened one of your files as CSV' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  export(@CurrentFile() file: AccessibleFile): StreamableFile {
    return createOpeningsCsv(file.id, this.openings.streamOpenings(file.id));
  }
}
