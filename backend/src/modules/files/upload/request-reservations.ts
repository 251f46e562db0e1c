import type { EntityManager } from '@mikro-orm/postgresql';
import { MINUTE, type Clock } from '../../../platform/clock/clock.js';
import { MIB } from '../../../platform/text/byte-units.js';
import type { Reservation, UploadReservationService } from './upload-reservation.service.js';

/**
 * Bytes reserved first for a body of unknown length. The step doubles each time, and halves if it did not fit into the
 * plan.
 */
const FIRST_STEP = 8 * MIB;
const MIN_STEP = MIB / 4;
/** How often a slow request renews its leases. */
const EXTEND_INTERVAL = 3 * MINUTE;

/** A file of the request while its bytes arrive. */
export interface ReservedFile {
  readonly reservation: Reservation;
  /**
   * Reserves the bytes received so far; reserves in advance if more may follow.
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  ensureReserved(size: number, whole: boolean): Promise<void>;
  /** Must be called when the file is complete; excess reserved bytes are used for the next file. */
  finishFile(size: number): void;
}

/** The reservations of one request's files in the owner's plan. */
export class RequestReservations {
  readonly opened: Reservation[] = [];
  /** Reserved bytes not assigned to a file yet. */
  private unassignedBytes = 0;
  private extendedAt: number;

  /**
   * @param maxFileBytes maximum size of one file, in bytes
   * @param remainingBytes upper bound in bytes for the rest of the request; null if unknown
   */
  constructor(
    private readonly em: EntityManager,
    private readonly uploadReservation: UploadReservationService,
    private readonly clock: Clock,
    readonly maxFileBytes: number,
    private remainingBytes: number | null,
  ) {
    this.extendedAt = clock.now().getTime();
  }

  /** Creates the reservation of the next file. */
  async openFile(ownerId: number): Promise<ReservedFile> {
    const reservation = await this.uploadReservation.createReservation(this.em, ownerId);
    this.opened.push(reservation);
    await this.extendIfDue();
    const maxBytes = Math.min(this.maxFileBytes, this.remainingBytes ?? this.maxFileBytes);
    let step = this.remainingBytes ?? FIRST_STEP;
    let heldBytes = 0;
    return {
      reservation,
      ensureReserved: async (size, whole) => {
        await this.extendIfDue();
        const needed = size - heldBytes;
        if (needed <= 0) return;
        const preferred = whole ? needed : Math.max(needed, Math.min(step, maxBytes - heldBytes));
        const granted = await this.takeOrReserve(reservation, needed, preferred);
        step = granted < preferred ? Math.max(MIN_STEP, Math.floor(step / 2)) : step * 2;
        heldBytes += granted;
      },
      finishFile: (size) => {
        this.unassignedBytes += heldBytes - size;
        if (this.remainingBytes !== null) this.remainingBytes -= size;
      },
    };
  }

  /** Reserves bytes like `UploadReservationService.reserveBytes`, but uses unassigned bytes first. */
  private async takeOrReserve(reservation: Reservation, needed: number, preferred: number): Promise<number> {
    const taken = Math.min(this.unassignedBytes, preferred);
    const reserved =
      taken < needed
        ? await this.uploadReservation.reserveBytes(this.em, reservation, needed - taken, preferred - taken)
        : 0;
    this.unassignedBytes -= taken;
    return taken + reserved;
  }

  /** Periodically renews the leases of all files of the request; earlier files wait for the later ones. */
  private async extendIfDue(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.extendedAt <= EXTEND_INTERVAL) return;
    this.extendedAt = now;
    await this.uploadReservation.extendLeases(this.em, this.opened);
  }
}
