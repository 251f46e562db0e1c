import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import type { Page } from '../../../platform/http/lists/list.js';
import { clientAddressOf, clientNetworkOf } from '../../../platform/http/networks/client-network.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { renderingErrors } from '../../../platform/rendering/rendering.errors.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import { DocumentDto, PageQueryDto } from '../../files/dto/document.dto.js';
import { fileErrors } from '../../files/files.errors.js';
import { DocumentPageService } from '../../files/pages/document-page.service.js';
import { PageTextDto, TextHitDto, TextQueryDto } from '../../files/dto/page-text.dto.js';
import { ApiPageNumber, PageNumber } from '../../files/pages/page-number.decorator.js';
import { PageResponseService } from '../../files/pages/page-response.service.js';
import { PageTextService } from '../../files/pages/page-text.service.js';
import { ApiContent } from '../../files/reading/api-content.decorator.js';
import { ContentDeliveryService } from '../../files/reading/content-delivery.service.js';
import { ContentResponseService } from '../../files/reading/content-response.service.js';
import { UploadForm } from '../../files/upload/upload-form.js';
import { ZipStreamService } from '../../files/zip/zip-stream.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  EnterSharedDto,
  SharedFileDetailDto,
  SharedFileDto,
  SharedFolderDetailDto,
  SharedFolderDto,
  SharedFolderQueryDto,
  SharedLinkDto,
  SharedListQueryDto,
} from '../dto/shared-item.dto.js';
import { linkErrors } from '../links.errors.js';
import { GuestSubmissionService } from './guest-submission.service.js';
import { GuestCookieService } from './guest-cookie.service.js';
import { SharedItemService } from './shared-item.service.js';

/** Limit for entering; many people may share one IP address. Passwords have a limit of their own. */
const ENTER_RATE: RateRule = { name: 'shared-enter-ip', limit: 120, window: MINUTE };

/** Limits for sending and removing files; each file counts against limits of its own. */
const SEND_RATE: RateRule = { name: 'shared-send-ip', limit: 120, window: MINUTE };
const REMOVE_RATE: RateRule = { name: 'shared-remove-ip', limit: 120, window: MINUTE };

const filesSchema = {
  type: 'object',
  required: ['files'],
  properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } },
};

/** Errors of every route for people who have entered. */
const ApiGuestErrors = () => ApiErrors(linkErrors.SHARED_NOT_FOUND, linkErrors.SHARED_NOT_ENTERED);

/** Files and folders behind a link, for people outside of their zone. */
@ApiTags('links')
@Controller('api/shared/:token')
export class SharedController {
  constructor(
    private readonly shared: SharedItemService,
    private readonly submissions: GuestSubmissionService,
    private readonly cookies: GuestCookieService,
    private readonly contentDelivery: ContentDeliveryService,
    private readonly contentResponse: ContentResponseService,
    private readonly documentPage: DocumentPageService,
    private readonly pageResponse: PageResponseService,
    private readonly pageText: PageTextService,
    private readonly zipStream: ZipStreamService,
  ) {}

  @Get()
  @Public()
  @ApiJson('Describe a link to a file or folder; its content is shown to people who have entered', SharedLinkDto)
  @ApiErrors(linkErrors.SHARED_NOT_FOUND, linkErrors.SHARED_USED_UP)
  describe(
    @Param('token') token: string,
    @OptionalViewer() viewer: Viewer | null,
    @Req() request: AppRequest,
  ): Promise<SharedLinkDto> {
    return this.shared.describeLink(token, this.cookies.readClaim(request), viewer?.userId ?? null);
  }

  @Post('enter')
  @Public()
  @NetworkLimit(ENTER_RATE)
  @ApiJson('Enter by a link to a file or folder; sets a cookie with which its content can be read', SharedLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.LINK_PASSWORD_WRONG, linkErrors.SHARED_NOT_FOUND)
  @ApiErrors(linkErrors.SHARED_USED_UP, commonErrors.TOO_MANY_REQUESTS, commonErrors.SERVER_BUSY)
  async enter(
    @Param('token') token: string,
    @Body() dto: EnterSharedDto,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SharedLinkDto> {
    const entry = { ...dto, ipAddress: clientAddressOf(request) };
    const { link, guest, description } = await this.shared.enter(token, this.cookies.readClaim(request), entry);
    this.cookies.write(response, link, guest);
    return description;
  }

  @Get('files')
  @Public()
  @ApiPaginated('List the files in a shared folder by name', SharedFileDto)
  @ApiGuestErrors()
  files(
    @Param('token') token: string,
    @Query() query: SharedListQueryDto,
    @Req() request: AppRequest,
  ): Promise<Page<SharedFileDto>> {
    return this.shared.listFiles(token, this.cookies.readClaim(request), query);
  }

  @Post('files')
  @Public()
  @NetworkLimit(SEND_RATE)
  @Consumes('multipart/form-data')
  @ApiOperation({
    summary: 'Send files to a shared folder that requests them; either all of them are stored or none',
    description: 'Only by links that accept files. Names that are taken get a number, or the code of the visitor.',
  })
  @ApiBody({ schema: filesSchema })
  @ApiCreatedResponse({ type: [SharedFileDto] })
  @ApiGuestErrors()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NO_FILES, fileErrors.TOO_MANY_FILES, fileErrors.INVALID_NAME)
  @ApiErrors(fileErrors.UPLOAD_MALFORMED, fileErrors.UPLOAD_EXPIRED, fileErrors.FILE_TOO_LARGE, zoneErrors.ZONE_FULL)
  @ApiErrors(fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT, linkErrors.SHARED_NO_UPLOADS)
  @ApiErrors(linkErrors.SHARED_CHANGED, commonErrors.TOO_MANY_REQUESTS, commonErrors.UNSUPPORTED_TYPE)
  @ApiErrors(storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  async send(@Param('token') token: string, @Req() request: AppRequest): Promise<SharedFileDto[]> {
    const ipAddress = clientAddressOf(request);
    const openForm = () => UploadForm.open(request);
    return this.submissions.sendFiles(token, this.cookies.readClaim(request), { ipAddress, openForm });
  }

  @Delete('files/:id')
  @Public()
  @NetworkLimit(REMOVE_RATE)
  @ApiNoContent('Remove a file that the visitor sent, while files are accepted')
  @ApiGuestErrors()
  @ApiErrors(linkErrors.SHARED_NOT_REMOVABLE)
  remove(@Param('token') token: string, @IdParam() id: number, @Req() request: AppRequest): Promise<void> {
    return this.submissions.withdrawFile(token, this.cookies.readClaim(request), id);
  }

  @Get('folders')
  @Public()
  @ApiPaginated('List the subfolders of a shared folder by name', SharedFolderDto)
  @ApiGuestErrors()
  folders(
    @Param('token') token: string,
    @Query() query: SharedListQueryDto,
    @Req() request: AppRequest,
  ): Promise<Page<SharedFolderDto>> {
    return this.shared.listFolders(token, this.cookies.readClaim(request), query);
  }

  @Get('folders/:id')
  @Public()
  @ApiJson('Get a subfolder of a shared folder with its path from there', SharedFolderDetailDto)
  @ApiGuestErrors()
  folder(
    @Param('token') token: string,
    @IdParam() id: number,
    @Req() request: AppRequest,
  ): Promise<SharedFolderDetailDto> {
    return this.shared.describeFolder(token, this.cookies.readClaim(request), id);
  }

  @Get('files/:id')
  @Public()
  @ApiJson('Get a shared file', SharedFileDetailDto)
  @ApiGuestErrors()
  file(@Param('token') token: string, @IdParam() id: number, @Req() request: AppRequest): Promise<SharedFileDetailDto> {
    return this.shared.describeFile(token, this.cookies.readClaim(request), id);
  }

  @Get('files/:id/view')
  @Public()
  @ApiContent()
  @ApiGuestErrors()
  @ApiOperation({ summary: 'View a shared file: inline if browsers can display its type safely' })
  view(
    @Param('token') token: string,
    @IdParam() id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendContent(token, id, 'view', request, response);
  }

  @Get('files/:id/download')
  @Public()
  @ApiContent()
  @ApiGuestErrors()
  @ApiOperation({ summary: 'Download a shared file' })
  download(
    @Param('token') token: string,
    @IdParam() id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendContent(token, id, 'download', request, response);
  }

  @Get('files/:id/pages')
  @Public()
  @ApiJson('Get the pages of a shared document and the state of its preparation; without its attachments', DocumentDto)
  @ApiGuestErrors()
  @ApiErrors(renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async pages(@Param('token') token: string, @IdParam() id: number, @Req() request: AppRequest): Promise<DocumentDto> {
    const { file } = await this.shared.findFile(token, this.cookies.readClaim(request), id);
    return { ...(await this.documentPage.describeDocument(file)), attachments: [], recordsReading: false };
  }

  @Get('files/:id/pages/search')
  @Public()
  @ApiOperation({ summary: 'Search the text of a shared document; returns up to 500 matches by page' })
  @ApiOkResponse({ type: [TextHitDto] })
  @ApiGuestErrors()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED, fileErrors.TEXT_NOT_ALLOWED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async search(
    @Param('token') token: string,
    @IdParam() id: number,
    @Query() { q }: TextQueryDto,
    @Req() request: AppRequest,
  ): Promise<TextHitDto[]> {
    const { file, linkId } = await this.shared.findReadableFile(token, this.cookies.readClaim(request), id);
    return this.pageText.searchDocument(file, q, limitKeyOf(linkId, request));
  }

  @Get('files/:id/pages/:page')
  @Public()
  @ThumbnailRate()
  @ApiPageNumber()
  @ApiProduces('image/webp')
  @ApiHeader({ name: 'If-None-Match', required: false })
  @ApiOperation({ summary: 'Get a page of a shared document as a picture; the first page counts as a view' })
  @ApiResponse({ status: 200, description: 'The picture', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 304, description: 'Unchanged' })
  @ApiGuestErrors()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED, fileErrors.PAGE_FAILED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async page(
    @Param('token') token: string,
    @IdParam() id: number,
    @PageNumber() page: number,
    @Query() { width = 1200, strip }: PageQueryDto,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { file, reader, linkId } = await this.shared.findFile(token, this.cookies.readClaim(request), id);
    const isView = page === 1 && strip === undefined && request.method !== 'HEAD';
    const count = async () => void (isView && (await this.contentDelivery.countOpenings([file], 'view', reader)));
    const queueKey = limitKeyOf(linkId, request);
    await this.pageResponse.sendPage(file, { page, width, queueKey }, request, response, count);
  }

  @Get('files/:id/pages/:page/text')
  @Public()
  @ThumbnailRate()
  @ApiPageNumber()
  @ApiOperation({ summary: 'Get the words of a page of a shared document with their positions, and its links' })
  @ApiOkResponse({ type: PageTextDto })
  @ApiGuestErrors()
  @ApiErrors(fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY, fileErrors.DOCUMENT_FAILED)
  @ApiErrors(fileErrors.DOCUMENT_LOCKED, fileErrors.PAGE_FAILED, fileErrors.TEXT_NOT_ALLOWED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async text(
    @Param('token') token: string,
    @IdParam() id: number,
    @PageNumber() page: number,
    @Req() request: AppRequest,
  ): Promise<PageTextDto> {
    const { file, linkId } = await this.shared.findReadableFile(token, this.cookies.readClaim(request), id);
    return this.pageText.findText(file, page, limitKeyOf(linkId, request));
  }

  @Get('download')
  @Public()
  @ApiProduces('application/zip')
  @ApiOperation({
    summary: 'Download a shared folder as a zip archive',
    description: 'Files that may not be downloaded are left out.',
  })
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiGuestErrors()
  @ApiErrors(fileErrors.TOO_MUCH_TO_DOWNLOAD, fileErrors.DOWNLOAD_NOT_ALLOWED, commonErrors.VALIDATION_FAILED)
  @ApiErrors(storageErrors.STORAGE_UNAVAILABLE)
  async archive(
    @Param('token') token: string,
    @Query() { folderId }: SharedFolderQueryDto,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { plan, recipient } = await this.shared.planArchive(token, this.cookies.readClaim(request), folderId);
    // Nothing is read or counted for the headers alone.
    if (request.method === 'HEAD') response.type('application/zip').end();
    else await this.zipStream.sendArchive(plan, recipient, response);
  }

  private async sendContent(token: string, id: number, kind: ViewingKind, request: Request, response: Response) {
    const { file, reader } = await this.shared.findFile(token, this.cookies.readClaim(request), id);
    // Guests have no session by which a URL on the content origin could be checked, so the bytes are sent from here,
    // with the same headers.
    await this.contentResponse.sendContent({ file, kind, reader, contentOriginUrl: null }, request, response);
  }
}

/** Guests are as many as somebody enters, so their new pages and texts are limited by link and network instead. */
const limitKeyOf = (linkId: number, request: Request) => `item-${linkId} ${clientNetworkOf(request)}`;
