import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { newObjectKey } from '../../../platform/storage/storage.js';
import { UsageService } from '../../plans/usage.service.js';
import { deleteObjects } from '../files.jobs.js';
import { fileErrors } from '../files.errors.js';
import { UploadRepository, type DeletedUpload } from './upload.repository.js';

/** An upload in progress: the intent to write its object is recorded, and bytes of a plan are reserved. */
export interface Reservation {
  readonly id: number;
  readonly objectKey: string;
  readonly ownerId: number;
  /** Lease duration in milliseconds; `LEASE` if omitted. */
  readonly lease?: number;
}

/** An upload that has not renewed its lease for this long counts as dead. */
export const LEASE = 15 * MINUTE;
/** Expired uploads per query. */
const BATCH_SIZE = 500;

/**
 * Manages reservations of uploads in progress and cleans up aborted ones. Every method takes an entity manager, because
 * bytes arrive outside the request context.
 */
@Injectable()
export class UploadReservationService {
  private readonly logger = new Logger(UploadReservationService.name);

  constructor(
    private readonly clock: Clock,
    private readonly uploads: UploadRepository,
    private readonly usage: UsageService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Records the intent to store an object, before its first byte is written.
   * @param lease lease duration in milliseconds
   * @param reserved bytes that the caller reserves with `reserveUsage` in the same transaction
   */
  async createReservation(em: EntityManager, ownerId: number, lease = LEASE, reserved = 0): Promise<Reservation> {
    const objectKey = newObjectKey('files');
    const leaseUntil = addMilliseconds(this.clock.now(), lease);
    const id = await this.uploads.insertUpload(em, { objectKey, ownerId, leaseUntil, reserved });
    return { id, objectKey, ownerId, lease };
  }

  /**
   * Reserves the bytes of a new reservation in the owner's plan. Must be called last, because it locks the owner's usage.
   * @throws PLAN_LIMIT
   */
  reserveUsage(em: EntityManager, ownerId: number, bytes: number): Promise<void> {
    return this.usage.reserveUsage(em, ownerId, 'bytes', bytes);
  }

  /**
   * Reserves bytes of the owner's plan: the preferred amount, or just the needed one if that does not fit. This keeps
   * database calls rare but lets the plan be used to the last byte.
   * @returns the number of reserved bytes
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  async reserveBytes(em: EntityManager, reservation: Reservation, needed: number, preferred: number): Promise<number> {
    try {
      return await this.addReservedBytes(em, reservation, Math.max(needed, preferred));
    } catch (error) {
      if (preferred <= needed || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      return this.addReservedBytes(em, reservation, needed);
    }
  }

  /** Renews the leases of a request's uploads; there must be at least one. */
  async extendLeases(em: EntityManager, reservations: readonly Reservation[]): Promise<void> {
    const ids = reservations.map(({ id }) => id);
    await this.uploads.extendLeases(em, ids, addMilliseconds(this.clock.now(), LEASE));
  }

  /**
   * Turns reservations into used storage, in the transaction that inserts the files. Must be called last, because it
   * locks the owner's usage.
   * @param bytes actual size of the files
   * @throws UPLOAD_EXPIRED if a reservation was cleaned up in the meantime
   */
  async commit(em: EntityManager, ownerId: number, reservations: readonly Reservation[], bytes: number): Promise<void> {
    const ids = reservations.map(({ id }) => id);
    const reservedBytes = await this.uploads.deleteCommitted(em, ids);
    if (reservedBytes.length < ids.length) throw fileErrors.UPLOAD_EXPIRED();
    const reserved = reservedBytes.reduce((sum, bytes) => sum + bytes, 0);
    await this.usage.commitReservation(em, ownerId, 'bytes', reserved, bytes);
  }

  /** Abandons a failed upload; one that was committed after all stays. */
  async abandonUpload(em: EntityManager, { id }: Pick<Reservation, 'id'>): Promise<void> {
    await inTransaction(em, async (em) => this.releaseUpload(em, await this.uploads.deleteUpload(em, id)));
  }

  /**
   * Abandons the uploads of a failed request. If the database is unavailable, the clean-up job finds them later.
   * @param reason the error of the request
   */
  async abandonFailed(em: EntityManager, reservations: readonly Reservation[], reason: unknown): Promise<void> {
    const isExpired = reason instanceof AppError && reason.code === 'UPLOAD_EXPIRED';
    for (const reservation of reservations) {
      try {
        await this.abandonUpload(em.fork(), reservation);
        // The clean-up job removed the reservation before the object existed.
        if (isExpired) await this.jobs.enqueue(em.fork(), deleteObjects, { objectKeys: [reservation.objectKey] });
      } catch (error) {
        this.logger.warn(
          { err: error, uploadId: reservation.id },
          "Couldn't delete a failed upload; the sweep will remove it",
        );
      }
    }
  }

  /** Abandons every upload by a deleted user, and every upload into the user's zones. */
  async abandonAllOfUser(em: EntityManager, userId: number, signal: AbortSignal): Promise<void> {
    const rows = await this.uploads.findUploadsOfUser(em, userId);
    await forEachIsolated(rows, (row) => this.abandonUpload(em.fork(), row), signal, toLogContext);
  }

  /**
   * Ends the leases of all resumable uploads into a zone or folders that are being deleted, so that they can't be
   * continued. `abandonEnded` or the next `abandonExpired` releases their reservations.
   * @returns those uploads
   */
  endLeases(
    em: EntityManager,
    destination: { readonly zoneId: number } | { readonly folderIds: readonly number[] },
  ): Promise<{ id: number }[]> {
    return this.uploads.endLeases(em, destination);
  }

  /**
   * Abandons uploads whose lease was ended.
   * @throws AggregateError as `abandonExpired` does
   */
  async abandonEnded(em: EntityManager, ended: readonly { id: number }[]): Promise<void> {
    await forEachIsolated(ended, (row) => this.abandonIfExpired(em, row), undefined, toLogContext);
  }

  /**
   * Abandons all uploads whose lease has expired; a failure does not block the others.
   * @throws AggregateError with all failures, after every upload was tried
   */
  async abandonExpired(em: EntityManager, signal?: AbortSignal): Promise<void> {
    await forEachIsolated(this.findExpired(em), (row) => this.abandonIfExpired(em, row), signal, toLogContext);
  }

  /** Yields expired uploads once each: an upload that can't be abandoned is not returned again. */
  private async *findExpired(em: EntityManager): AsyncGenerator<{ id: number }> {
    for (let last = 0; ;) {
      const rows = await this.uploads.findExpired(em, last, BATCH_SIZE);
      yield* rows;
      if (rows.length < BATCH_SIZE) return;
      last = rows.at(-1)!.id;
    }
  }

  /** Abandons an upload unless its lease was renewed in the meantime. */
  private abandonIfExpired(em: EntityManager, { id }: { id: number }): Promise<void> {
    return inTransaction(em.fork(), async (em) =>
      this.releaseUpload(em, await this.uploads.deleteExpiredUpload(em, id)),
    );
  }

  /**
   * A job of this transaction deletes the objects: the storage may be slow or unavailable, and the rows must not wait
   * for it.
   */
  private async releaseUpload(em: EntityManager, deleted: DeletedUpload | null): Promise<void> {
    if (!deleted) return;
    const { objectKeys, multiparts, ownerId, reserved } = deleted;
    await this.jobs.enqueue(em, deleteObjects, { objectKeys, multiparts });
    await this.usage.commitReservation(em, ownerId, 'bytes', reserved, 0);
  }

  private async addReservedBytes(em: EntityManager, reservation: Reservation, bytes: number): Promise<number> {
    const leaseUntil = addMilliseconds(this.clock.now(), reservation.lease ?? LEASE);
    await inTransaction(em, async (em) => {
      const isReserved = await this.uploads.addReservedBytes(em, reservation.id, bytes, leaseUntil);
      if (!isReserved) throw fileErrors.UPLOAD_EXPIRED();
      await this.usage.reserveUsage(em, reservation.ownerId, 'bytes', bytes);
    });
    return bytes;
  }
}

const toLogContext = ({ id }: { id: number }) => ({ uploadId: id });
