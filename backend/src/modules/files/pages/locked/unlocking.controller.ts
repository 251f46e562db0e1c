import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { renderingErrors } from '../../../../platform/rendering/rendering.errors.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer, SessionOnly } from '../../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { authErrors } from '../../../auth/auth.errors.js';
import { CurrentFile, FileAccess } from '../../access/file-access.guard.js';
import type { AccessibleFile } from '../../access/file-access.repository.js';
import { UnlockDto } from '../../dto/document.dto.js';
import { fileErrors } from '../../files.errors.js';
import { DocumentPasswordCookieService } from './document-password-cookie.service.js';
import { LockedDocumentService } from './locked-document.service.js';

@ApiTags('files')
@Controller('api/files')
export class UnlockingController {
  constructor(
    private readonly lockedDocument: LockedDocumentService,
    private readonly documentPasswordCookie: DocumentPasswordCookieService,
  ) {}

  @Post(':id/pages/unlock')
  @FileAccess('read')
  @SessionOnly()
  @AllowIncompleteProfile()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Unlock a password-protected document for this session for one hour; ten attempts in 15 minutes',
  })
  @ApiNoContentResponse()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_NOT_LOCKED, fileErrors.DOCUMENT_PASSWORD_WRONG, fileErrors.DOCUMENT_FAILED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async unlock(
    @CurrentFile() file: AccessibleFile,
    @Body() { password }: UnlockDto,
    @CurrentViewer() { userId, sessionId }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    if (sessionId === null) throw authErrors.SESSION_REQUIRED();
    await this.lockedDocument.unlockDocument(file, userId, password);
    this.documentPasswordCookie.writePassword(response, file.id, sessionId, password);
  }
}
