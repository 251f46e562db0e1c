import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { BlockService } from './block.service.js';
import { BlockDto, BlockPersonDto } from '../dto/member.dto.js';

@ApiTags('members')
@Controller('api/zones/:id/blocks')
export class BlocksController {
  constructor(private readonly blocks: BlockService) {}

  @Get()
  @ZoneAccess('manageMembers')
  @ApiPaginated('List the people who are blocked in a zone', BlockDto)
  list(@CurrentZone() { id }: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<BlockDto>> {
    return this.blocks.list(id, page);
  }

  @Post()
  @ZoneAccess('manageMembers')
  @ApiNoContent('Block a person: end their membership or request, and hide further requests')
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.MEMBER_NOT_FOUND, zoneErrors.OWNER_STAYS)
  block(@CurrentZone() zone: AccessibleZone, @Body() { userId }: BlockPersonDto): Promise<void> {
    return this.blocks.blockPerson(zone, userId);
  }

  @Delete(':userId')
  @ZoneAccess('manageMembers')
  @ApiNoContent('Unblock a person; they may request to join again')
  unblock(@CurrentZone() zone: AccessibleZone, @IdParam('userId') userId: number): Promise<void> {
    return this.blocks.unblockPerson(zone, userId);
  }
}
