import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiParam } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { setPoolTenantForWrite } from '../../../platform/http/limits/pool-tenant.js';
import { IdPipe } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import type { AccessZone, AccessibleFile, AccessibleFolder } from './file-access.repository.js';
import { FileAccessService } from './file-access.service.js';
import { canSeeOpenings } from './file.policy.js';
import { fileErrors } from '../files.errors.js';

/**
 * What the route needs to be allowed to do with the item. `manage`: change it. Items can't be changed through a mirror,
 * except the mirror itself, which its owner may change. `mirror`: mirror the folder into another zone. `own`:
 * owner-only actions, such as seeing who opened a file. `share`: create links to the item for people outside.
 * `delete`: move a file to the trash, which its sender may too while the file request is open.
 */
export type ItemAbility = 'read' | 'manage' | 'mirror' | 'own' | 'share' | 'delete';

const ITEM_ACCESS_KEY = 'zonary:item';

interface ItemAccessRule {
  readonly kind: 'file' | 'folder';
  readonly ability: ItemAbility;
}

type ItemRequest = AppRequest & { file?: AccessibleFile; folder?: AccessibleFolder };

/**
 * Allows the request if the viewer has the required ability on the file or folder `:id`. Viewers who can't see the item
 * get 404. Viewers who can see it but lack the ability get 403.
 */
@Injectable()
export class FileAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: FileAccessService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ItemRequest>();
    const { kind, ability } = this.reflector.get<ItemAccessRule>(ITEM_ACCESS_KEY, context.getHandler());
    if (!request.viewer) throw commonErrors.NOT_SIGNED_IN();
    const id = new IdPipe().transform(String(request.params.id));
    if (kind === 'file') {
      const file = await this.access.findFile(id, request.viewer.userId);
      if (!file) throw fileErrors.FILE_NOT_FOUND();
      if (ability === 'manage') assertCanManage(file, false);
      if (ability === 'delete') await this.assertCanDelete(file, request.viewer.userId);
      if (ability === 'share') assertCanShare(file, false);
      if (ability === 'own' && !canSeeOpenings(file.role)) throw zoneErrors.ZONE_FORBIDDEN();
      setPoolTenantForWrite(request, file);
      request.file = file;
    } else {
      const folder = await this.access.findFolder(id, request.viewer.userId);
      if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
      if (ability === 'manage') assertCanManage(folder, folder.isMirror);
      if (ability === 'share') assertCanShare(folder, folder.isMirror);
      if (ability === 'mirror' && !zoneAbilities(folder.role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
      setPoolTenantForWrite(request, folder);
      request.folder = folder;
    }
    return true;
  }

  private async assertCanDelete(file: AccessibleFile, userId: number): Promise<void> {
    const isManager = zoneAbilities(file.role).manageFiles;
    if (isManager || !(await this.access.isWithdrawable(file, userId))) assertCanManage(file, false);
  }
}

function assertCanManage({ role, mountId }: AccessZone, isMirror: boolean): void {
  const can = zoneAbilities(role);
  if (!(isMirror ? can.manageMirrors : can.manageFiles)) throw zoneErrors.ZONE_FORBIDDEN();
  if (mountId !== null) throw fileErrors.MIRROR_READ_ONLY();
}

/** A mirror has no content of its own, so only the items of its source can be shared. */
function assertCanShare({ role, mountId }: AccessZone, isMirror: boolean): void {
  if (!zoneAbilities(role).share) throw zoneErrors.ZONE_FORBIDDEN();
  if (isMirror || mountId !== null) throw fileErrors.MIRROR_NOT_SHARED();
}

const itemAccess = (kind: ItemAccessRule['kind'], ability: ItemAbility) =>
  applyDecorators(
    SignedIn(),
    SetMetadata(ITEM_ACCESS_KEY, { kind, ability } satisfies ItemAccessRule),
    ApiExtension(`x-${kind}-ability`, ability),
    ApiParam({ name: 'id', schema: { type: 'integer' } }),
    ApiErrors(commonErrors.NOT_SIGNED_IN, kind === 'file' ? fileErrors.FILE_NOT_FOUND : fileErrors.FOLDER_NOT_FOUND),
    ...(ability === 'read' ? [] : [ApiErrors(zoneErrors.ZONE_FORBIDDEN)]),
    ...(ability === 'manage' || ability === 'delete' ? [ApiErrors(fileErrors.MIRROR_READ_ONLY)] : []),
    ...(ability === 'share' ? [ApiErrors(fileErrors.MIRROR_NOT_SHARED)] : []),
    UseGuards(FileAccessGuard),
  );

/** Requires the ability on the file `:id`. */
export const FileAccess = (ability: Exclude<ItemAbility, 'mirror'>) => itemAccess('file', ability);

/** Requires the ability on the folder `:id`. */
export const FolderAccess = (ability: Exclude<ItemAbility, 'own' | 'delete'>) => itemAccess('folder', ability);

/** The file that `@FileAccess` resolved for the viewer. */
export const CurrentFile = createParamDecorator((_: unknown, context: ExecutionContext): AccessibleFile => {
  const { file } = context.switchToHttp().getRequest<ItemRequest>();
  if (!file) throw fileErrors.FILE_NOT_FOUND();
  return file;
});

/** The folder that `@FolderAccess` resolved for the viewer. */
export const CurrentFolder = createParamDecorator((_: unknown, context: ExecutionContext): AccessibleFolder => {
  const { folder } = context.switchToHttp().getRequest<ItemRequest>();
  if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
  return folder;
});
