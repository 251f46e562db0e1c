import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';

const THUMBNAIL_RATE = 'zonary:picture-rate';

/**
 * Marks a route that sends thumbnails of a list or document. A page of a list requests fifty at once, and a school
 * class behind one address thousands, so they are counted separately from the general rate limit.
 */
export const ThumbnailRate = () => applyDecorators(SetMetadata(THUMBNAIL_RATE, true), SkipThrottle({ default: true }));

/** Whether the called route is marked as such. */
export const hasThumbnailRate = (context: ExecutionContext): boolean =>
  Reflect.getMetadata(THUMBNAIL_RATE, context.getHandler()) === true;
