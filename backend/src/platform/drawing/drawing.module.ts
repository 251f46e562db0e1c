import { Global, Module } from '@nestjs/common';
import { DrawingLimits } from './limits/drawing-limits.js';
import { DrawingService } from './drawing.service.js';
import { Office } from './office/office.service.js';
import { DrawingTurns } from './turns/drawing-turns.service.js';

/** Global, so that it ends after the jobs that draw. */
@Global()
@Module({
  providers: [DrawingLimits, DrawingTurns, DrawingService, Office],
  exports: [DrawingTurns, DrawingService, Office],
})
export class DrawingModule {}
