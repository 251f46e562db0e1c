import { ApiProperty } from '@nestjs/swagger';
import type { ActivityType } from './activity.events.js';
import { activityTypes } from './activity.messages.js';

/** Something that happened, as it is shown. */
export class ActivityItemDto {
  id: number;
  @ApiProperty({ enum: activityTypes, enumName: 'ActivityType' })
  type: ActivityType;
  /** What happened, in words of the viewer's language. */
  message: string;
  createdAt: Date;
  /** The same as createdAt. */
  timestamp: Date;
  /** Who did it; null when the person is gone. */
  userEmail: string | null;
}
