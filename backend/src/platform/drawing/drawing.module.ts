import { Global, Module } from '@nestjs/common';
import { DrawingLimits } from './drawing-limits.js';
import { DrawingService } from './drawing.service.js';
import { Office } from './office/office.service.js';

/** Global, so that it ends after the jobs that draw. */
@Global()
@Module({ providers: [DrawingLimits, DrawingService, Office], exports: [DrawingService, Office] })
export class DrawingModule {}
