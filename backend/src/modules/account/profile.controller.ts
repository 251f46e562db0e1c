import { Controller, Delete, HttpCode, Post, Put, Req, UploadedFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { NonEmptyBody } from '../../platform/http/non-empty-body.decorator.js';
import { Consumes } from '../../platform/http/parsing/body-type.guard.js';
import type { SmallFile } from '../../platform/http/parsing/read-small-file.decorator.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../platform/storage/storage.errors.js';
import { authErrors } from '../auth/auth.errors.js';
import { accountErrors } from './account.errors.js';
import { CurrentUserService } from './current-user.service.js';
import { PictureDto, ProfileAnswerDto, UpdateProfileDto } from './dto/profile.dto.js';
import { assertPicture, ReadPicture } from './pictures/picture-image.js';
import { PictureService } from './pictures/picture.service.js';
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
  @AllowIncompleteProfile()
  @SignedIn()
  @ApiJson('Change your name, username, language, time zone, postal address and notifications', ProfileAnswerDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    commonErrors.NOTHING_TO_CHANGE,
    authErrors.USERNAME_TAKEN,
    authErrors.USERNAME_RESERVED,
    authErrors.USERNAME_CHANGE_LIMIT,
  )
  async update(@CurrentViewer() viewer: Viewer, @NonEmptyBody() dto: UpdateProfileDto): Promise<ProfileAnswerDto> {
    await this.profiles.updateProfile(viewer.userId, dto);
    return { user: await this.currentUser.getCurrentUser(viewer) };
  }

  @Post('picture')
  @AllowIncompleteProfile()
  @SignedIn()
  @HttpCode(200)
  @Consumes('multipart/form-data')
  @ReadPicture()
  @ApiOperation({ summary: 'Upload your profile picture' })
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
    storageErrors.DISK_FULL,
    storageErrors.STORAGE_UNAVAILABLE,
  )
  async setPicture(
    @CurrentViewer() { userId }: Viewer,
    @UploadedFile() file: SmallFile | undefined,
    @Req() { body }: AppRequest,
  ): Promise<PictureDto> {
    return { profileImageUrl: await this.pictures.setPicture(userId, async () => assertPicture(file, body)) };
  }

  @Delete('picture')
  @AllowIncompleteProfile()
  @SignedIn()
  @ApiNoContent('Remove your profile picture')
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  removePicture(@CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.pictures.removePicture(userId);
  }
}
