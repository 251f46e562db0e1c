import { Controller, Post, Req, UploadedFile } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { SmallFile } from '../../../platform/http/parsing/read-small-file.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { ImportResultDto } from '../dto/import.dto.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { parseImportForm, ReadImportFile } from './import-form.js';
import { importErrors } from '../zones.errors.js';
import { ImportService } from './import.service.js';

const form = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description: 'CSV file with the column email and, optionally, firstName and lastName',
    },
    dryRun: { type: 'boolean', default: false, description: 'Only report the result of each row; changes nothing' },
    mode: { type: 'string', enum: ['invite', 'add'], default: 'invite' },
    consentConfirmed: {
      type: 'boolean',
      default: false,
      description: 'Required for mode=add: these people agreed to receive emails',
    },
    tell: { type: 'boolean', default: false, description: 'With mode=add: notify these people by email' },
  },
};

@ApiTags('members')
@Controller('api/zones/:id/members')
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Post('import')
  @ZoneAccess('manageMembers')
  @ApiJson('Invite or add people from a CSV file; returns a result per row', ImportResultDto)
  @Consumes('multipart/form-data')
  @ReadImportFile()
  @ApiBody({ schema: form })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    importErrors.IMPORT_TOO_LARGE,
    importErrors.IMPORT_UNREADABLE,
    importErrors.IMPORT_NO_EMAIL_COLUMN,
  )
  async import(
    @CurrentZone() { id }: AccessibleZone,
    @CurrentViewer() { userId: actorId }: Viewer,
    @RequestLanguage() language: Language,
    @UploadedFile() file: SmallFile | undefined,
    @Req() request: AppRequest,
  ): Promise<ImportResultDto> {
    const { ipAddress } = getSessionOrigin(request);
    return this.imports.importFile(id, parseImportForm(file, request.body), { actorId, ipAddress, language });
  }
}
