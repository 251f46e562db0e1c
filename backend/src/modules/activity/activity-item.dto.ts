import { ApiProperty } from '@nestjs/swagger';
import type { ActivityType } from './activity.events.js';
import { activityTypes } from './activity.messages.js';

/** An entry of an activity list. */
export class ActivityItemDto {
  id: number;
  @ApiProperty({ enum: activityTypes, enumName: 'ActivityType' })
  type: ActivityType;
  /** Description of the activity in the viewer's language. */
  message: string;
  createdAt: Date;
  /** The same as createdAt. */
  timestamp: Date;
  /** Who did it; null if the account was deleted. */
  userEmail: string | null;
}
