import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';

const THUMBNAIL_RATE = 'zonary:picture-rate';

/**
 * The route sends small pictures of what a list or a document holds. A page of a list asks for fifty at once, and a class
 * behind one address for thousands, so they have a count of their own and leave the general one to the rest.
 */
export const ThumbnailRate = () => applyDecorators(SetMetadata(THUMBNAIL_RATE, true), SkipThrottle({ default: true }));

/** Whether the route that is called was marked so. */
export const hasThumbnailRate = (context: ExecutionContext): boolean =>
  Reflect.getMetadata(THUMBNAIL_RATE, context.getHandler()) === true;
