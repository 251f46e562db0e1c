import { Body, Controller, Delete, HttpCode, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { Consumes } from '../../platform/http/body-type.guard.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { storageErrors } from '../../platform/storage/storage.errors.js';
import { authErrors } from '../auth/auth.errors.js';
import { accountErrors } from './account.errors.js';
import { CurrentUserService } from './current-user.service.js';
import { PictureDto, ProfileAnswerDto, UpdateProfileDto } from './dto/profile.dto.js';
import { readPicture } from './picture-form.js';
import { PictureService } from './picture.service.js';
import { ProfileService } from './profile.service.js';

@ApiTags('account')
@Controller('api/user')
export class ProfileController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly pictures: PictureService,
    private readonly currentUser: CurrentUserService,
  ) {}

  @Put('profile')
  @SignedIn()
  @ApiOperation({ summary: 'Change your names, user name, language, time zone, postal address and notices' })
  @ApiOkResponse({ type: ProfileAnswerDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.USERNAME_TAKEN, authErrors.USERNAME_CHANGE_LIMIT)
  async update(@CurrentViewer() viewer: Viewer, @Body() dto: UpdateProfileDto): Promise<ProfileAnswerDto> {
    await this.profiles.update(viewer.userId, dto);
    return { user: await this.currentUser.of(viewer) };
  }

  @Post('picture')
  @SignedIn()
  @HttpCode(200)
  @Consumes('multipart/form-data')
  @ApiOperation({ summary: 'Upload a picture of yourself' })
  @ApiBody({
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  })
  @ApiOkResponse({ type: PictureDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    accountErrors.PICTURE_TYPE,
    accountErrors.PICTURE_UNREADABLE,
    accountErrors.PICTURE_TOO_LARGE,
    commonErrors.TOO_MANY_REQUESTS,
    storageErrors.STORAGE_UNAVAILABLE,
  )
  async setPicture(@CurrentViewer() { userId }: Viewer, @Req() request: AppRequest): Promise<PictureDto> {
    return { profileImageUrl: await this.pictures.set(userId, () => readPicture(request)) };
  }

  @Delete('picture')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove the picture of yourself' })
  @ApiNoContentResponse()
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  removePicture(@CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.pictures.remove(userId);
  }
}
