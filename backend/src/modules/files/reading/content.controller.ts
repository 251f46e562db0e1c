import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import { ApiContent } from './api-content.decorator.js';
import { ContentDeliveryService, userReader } from './content-delivery.service.js';
import { ContentResponseService } from './content-response.service.js';
import { FileAddressDto, SignedQueryDto } from '../dto/file.dto.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { SignedUrlService } from './signed-url.service.js';
import { fileErrors } from '../files.errors.js';
import { ApiVersionNumber, VersionNumber } from '../shared/version-number.pipe.js';
import { FileVersionService } from '../versions/file-version.service.js';

@ApiTags('files')
@Controller('api/files')
export class ContentController {
  constructor(
    private readonly contentDelivery: ContentDeliveryService,
    private readonly contentResponse: ContentResponseService,
    private readonly signedUrl: SignedUrlService,
    private readonly fileVersion: FileVersionService,
  ) {}

  @Get(':id/view')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'View a file: inline if browsers can display its type safely, otherwise as an attachment' })
  view(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'view', viewer, request, response);
  }

  @Get(':id/download')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'Download a file' })
  download(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'download', viewer, request, response);
  }

  @Get(':id/versions/:number/view')
  @FileAccess('manage')
  @ApiVersionNumber()
  @ApiContent()
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'View a version of a file, as `view` does' })
  viewVersion(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'view', viewer, request, response, number);
  }

  @Get(':id/versions/:number/download')
  @FileAccess('manage')
  @ApiVersionNumber()
  @ApiContent()
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'Download a version of a file' })
  downloadVersion(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'download', viewer, request, response, number);
  }

  @Get(':id/url')
  @FileAccess('read')
  @ApiOperation({ summary: 'Get a URL for downloading the file without a session, valid for five minutes' })
  @ApiOkResponse({ type: FileAddressDto })
  @ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED)
  url(@CurrentFile() file: AccessibleFile, @CurrentViewer() { userId }: Viewer): FileAddressDto {
    this.contentDelivery.resolveDelivery(file, 'download');
    return this.signedUrl.createUrl(file.id, userId, 'download');
  }

  @Get(':id/content')
  @Public()
  @ApiContent()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.ADDRESS_EXPIRED, fileErrors.FILE_NOT_FOUND)
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'Get the bytes of a file with a URL from `url`, `view` or `download`' })
  async addressed(
    @IdParam() id: number,
    @Query() { token }: SignedQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { file, userId, kind, version } = await this.signedUrl.verifyUrl(id, token);
    await this.contentResponse.sendContent(
      { file: await this.findVersion(file, version), kind, reader: userReader(userId), contentOriginUrl: null },
      request,
      response,
    );
  }

  /**
   * Sends a file to a signed-in viewer, or redirects to the content origin if there is one.
   * @param version number of one of its versions; null for the current content
   */
  private async sendOrRedirect(
    file: AccessibleFile,
    kind: ViewingKind,
    { userId }: Viewer,
    request: Request,
    response: Response,
    version: number | null = null,
  ) {
    const contentOriginUrl = this.signedUrl.createContentOriginUrl(file.id, userId, kind, version);
    return this.contentResponse.sendContent(
      { file: await this.findVersion(file, version), kind, reader: userReader(userId), contentOriginUrl },
      request,
      response,
    );
  }

  private async findVersion(file: AccessibleFile, version: number | null): Promise<AccessibleFile> {
    return version === null ? file : this.fileVersion.findVersion(file, version);
  }
}
