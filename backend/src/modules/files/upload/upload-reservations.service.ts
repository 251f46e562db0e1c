import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { after, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { newKey } from '../../../platform/storage/storage.js';
import { MIB } from '../../../platform/text/sizes.js';
import { UsageService } from '../../plans/usage.service.js';
import { deleteObjects } from '../files.jobs.js';
import { ResumableUploadSchema, UploadSchema } from '../entities/upload.entity.js';
import { MAX_FILE_BYTES } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof UploadSchema | typeof ResumableUploadSchema;

/** An upload under way: its object is announced, and bytes of a plan are held for it. */
export interface Reservation {
  readonly id: number;
  readonly objectKey: string;
  readonly ownerId: number;
  /** How long it may show no life, in milliseconds; `LEASE` when nothing is said. */
  readonly lease?: number;
}

/** An upload that has shown no life for this long is taken for dead. */
export const LEASE = 15 * MINUTE;
/** Bytes reserved at first of a body of unknown length; twice as many each time after that, and half as many when they did not fit. */
const FIRST_STEP = 8 * MIB;
const LEAST_STEP = MIB / 4;
/** Uploads whose lease has ended that are asked for at once. */
const SOME = 500;
/** How often a slow request shows that it is alive. */
const EXTEND_EVERY = 3 * MINUTE;

/** What must be known of an upload to undo it; its parts are read before they go with its row. */
const undone = [
  'reserved' as const,
  'object_key' as const,
  'owner_id' as const,
  sql<string[]>`array(select object_key::text from upload_parts where upload_id = uploads.id)`.as('parts'),
];

/**
 * Uploads under way: what they reserve and what becomes of those that break off. Every method takes an entity manager,
 * because bytes come in outside the context of the request.
 */
@Injectable()
export class UploadReservations {
  constructor(
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Announces an object before its first byte is stored.
   * @param lease how long it may show no life, in milliseconds
   */
  async open(em: EntityManager, ownerId: number, lease = LEASE): Promise<Reservation> {
    const now = this.clock.now();
    const objectKey = newKey('files');
    const { id } = await query<Tables>(em)
      .insertInto('uploads')
      .values({ object_key: objectKey, owner_id: ownerId, lease_until: after(now, lease), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: Number(id), objectKey, ownerId, lease };
  }

  /**
   * Holds bytes of the owner's plan: as many as wished, or where these do not fit, just the needed ones. So the
   * database is asked seldom, and yet the last byte of a plan can be used.
   * @returns the bytes held
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  async reserve(em: EntityManager, reservation: Reservation, needed: number, wished: number): Promise<number> {
    try {
      return await this.hold(em, reservation, Math.max(needed, wished));
    } catch (error) {
      if (wished <= needed || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      return this.hold(em, reservation, needed);
    }
  }

  /** Shows that the uploads of a request are alive, at least one of them. */
  async extend(em: EntityManager, reservations: readonly Reservation[]): Promise<void> {
    await query<Tables>(em)
      .updateTable('uploads')
      .set({ lease_until: after(this.clock.now(), LEASE) })
      .where(
        'id',
        'in',
        reservations.map(({ id }) => id),
      )
      .execute();
  }

  /**
   * Turns uploads into files, in the transaction that writes the files' rows; the last thing in it, because it locks
   * the owner's usage.
   * @param bytes what the files really take
   * @throws UPLOAD_EXPIRED when one of them was cleaned up meanwhile
   */
  async settle(em: EntityManager, ownerId: number, reservations: readonly Reservation[], bytes: number): Promise<void> {
    const ids = reservations.map(({ id }) => id);
    const rows = await query<Tables>(em).deleteFrom('uploads').where('id', 'in', ids).returning('reserved').execute();
    if (rows.length < ids.length) throw fileErrors.UPLOAD_EXPIRED();
    const reserved = rows.reduce((sum, row) => sum + Number(row.reserved), 0);
    await this.usage.settle(em, ownerId, 'bytes', reserved, bytes);
  }

  /** Undoes an upload that came to nothing; one that was settled after all stays. */
  async abandon(em: EntityManager, { id }: Pick<Reservation, 'id'>): Promise<void> {
    await this.remove(em, id, sql<boolean>`true`);
  }

  /** Undoes every upload by, or in the zones of, somebody whose account is gone. */
  async abandonAllOf(em: EntityManager, userId: number, signal: AbortSignal): Promise<void> {
    const rows = await query<Tables>(em)
      .selectFrom('uploads as u')
      .leftJoin('resumable_uploads as r', 'r.upload_id', 'u.id')
      .select('u.id as id')
      .where((where) => where.or([where('u.owner_id', '=', userId), where('r.user_id', '=', userId)]))
      .execute();
    await eachOnItsOwn(rows, (row) => this.abandon(em.fork(), row), signal, uploadOf);
  }

  /**
   * Ends the lease of all resumable uploads into a zone, or into folders, because these go: nobody can go on with them.
   * What they hold is given back by `giveBack`, or by the next `abandonExpired`.
   * @returns those uploads
   */
  async expire(em: EntityManager, into: { readonly zoneId: number } | { readonly folderIds: readonly number[] }) {
    const place =
      'zoneId' in into ? sql`zone_id = ${into.zoneId}` : sql`folder_id = any(${[...into.folderIds]}::bigint[])`;
    const { rows } = await sql<{ id: number }>`
      with mine as materialized (
        select id, upload_id from resumable_uploads where ${place} and upload_id is not null order by upload_id for update
      ), gone as (delete from resumable_uploads r using mine where r.id = mine.id), held as materialized (
        select u.id from mine join uploads u on u.id = mine.upload_id order by u.id for update of u
      )
      update uploads set lease_until = ${this.clock.now()} from held where uploads.id = held.id returning uploads.id
    `.execute(query<Tables>(em));
    return rows;
  }

  /** Undoes uploads whose lease was ended. @throws as `abandonExpired` */
  async giveBack(em: EntityManager, ended: readonly { id: number }[]): Promise<void> {
    await eachOnItsOwn(ended, (row) => this.abandonDead(em, row), undefined, uploadOf);
  }

  /**
   * Undoes all uploads whose lease has ended; one that cannot be undone keeps none of those behind it from being.
   * @throws AggregateError of those that could not, after all have had their turn
   */
  async abandonExpired(em: EntityManager, signal?: AbortSignal): Promise<void> {
    await eachOnItsOwn(this.expired(em), (row) => this.abandonDead(em, row), signal, uploadOf);
  }

  /** Uploads whose lease has ended, each once: one that stays because it cannot be undone is not met again. */
  private async *expired(em: EntityManager): AsyncGenerator<{ id: number }> {
    for (let last = 0; ;) {
      const rows = await query<Tables>(em)
        .selectFrom('uploads')
        .select('id')
        .where('lease_until', '<=', this.clock.now())
        .where('id', '>', last)
        .orderBy('id')
        .limit(SOME)
        .execute();
      yield* rows;
      if (rows.length < SOME) return;
      last = rows.at(-1)!.id;
    }
  }

  /** Undoes an upload unless it has shown life meanwhile. */
  private abandonDead(em: EntityManager, { id }: { id: number }): Promise<void> {
    return this.remove(em.fork(), id, sql<boolean>`lease_until <= ${this.clock.now()}`);
  }

  /** The resumable upload is locked before its reservation, as by whoever goes on with it: the key would do it after. */
  private async remove(em: EntityManager, id: number, isMeant: RawBuilder<boolean>): Promise<void> {
    await inTransaction(em, async (em) => {
      const db = query<Tables>(em);
      await db.selectFrom('resumable_uploads').select('id').where('upload_id', '=', id).forUpdate().execute();
      const row = await db
        .deleteFrom('uploads')
        .where('id', '=', id)
        .where(isMeant)
        .returning(undone)
        .executeTakeFirst();
      if (row) await this.undo(em, row);
    });
  }

  /** The objects go by a job of this transaction: the storage may be slow or away, and rows must not wait for it. */
  private async undo(
    em: EntityManager,
    row: { reserved: number; object_key: string; owner_id: number; parts: string[] },
  ): Promise<void> {
    await this.jobs.enqueue(em, deleteObjects, { objectKeys: [row.object_key, ...row.parts] });
    await this.usage.settle(em, Number(row.owner_id), 'bytes', Number(row.reserved), 0);
  }

  private async hold(em: EntityManager, reservation: Reservation, bytes: number): Promise<number> {
    const leaseUntil = after(this.clock.now(), reservation.lease ?? LEASE);
    await inTransaction(em, async (em) => {
      const updated = await query<Tables>(em)
        .updateTable('uploads')
        .set({ reserved: sql<number>`reserved + ${bytes}`, lease_until: leaseUntil })
        .where('id', '=', reservation.id)
        .executeTakeFirst();
      if (updated.numUpdatedRows === 0n) throw fileErrors.UPLOAD_EXPIRED();
      await this.usage.reserve(em, reservation.ownerId, 'bytes', bytes);
    });
    return bytes;
  }
}

/** What the log tells of an upload. */
const uploadOf = ({ id }: { id: number }) => ({ uploadId: id });

/** A file of the request, while its bytes come in. */
export interface ReservedFile {
  readonly reservation: Reservation;
  /**
   * Holds as many bytes as have come; in advance, while there may be more.
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  cover(size: number, whole: boolean): Promise<void>;
  /** To be called when all bytes of the file have come: what is held beyond them serves the next file. */
  finish(size: number): void;
}

/** What the files of one request hold of the owner's plan. */
export class RequestReservations {
  readonly opened: Reservation[] = [];
  /** Bytes that are held and belong to no file yet. */
  private spare = 0;
  private extendedAt: number;

  /** @param left bytes that the rest of the request can hold at most; null when it does not say */
  constructor(
    private readonly em: EntityManager,
    private readonly reservations: UploadReservations,
    private readonly clock: Clock,
    private left: number | null,
  ) {
    this.extendedAt = clock.now().getTime();
  }

  /** Announces the next file. */
  async open(ownerId: number): Promise<ReservedFile> {
    const reservation = await this.reservations.open(this.em, ownerId);
    this.opened.push(reservation);
    await this.keepAlive();
    const most = Math.min(MAX_FILE_BYTES, this.left ?? MAX_FILE_BYTES);
    let step = this.left ?? FIRST_STEP;
    let held = 0;
    return {
      reservation,
      cover: async (size, whole) => {
        await this.keepAlive();
        const needed = size - held;
        if (needed <= 0) return;
        const wished = whole ? needed : Math.max(needed, Math.min(step, most - held));
        const got = await this.hold(reservation, needed, wished);
        step = got < wished ? Math.max(LEAST_STEP, Math.floor(step / 2)) : step * 2;
        held += got;
      },
      finish: (size) => {
        this.spare += held - size;
        if (this.left !== null) this.left -= size;
      },
    };
  }

  /** Holds bytes as `UploadReservations.reserve` does, but what is spare is taken first. */
  private async hold(reservation: Reservation, needed: number, wished: number): Promise<number> {
    const taken = Math.min(this.spare, wished);
    const more =
      taken < needed ? await this.reservations.reserve(this.em, reservation, needed - taken, wished - taken) : 0;
    this.spare -= taken;
    return taken + more;
  }

  /** Shows from time to time that the files of the request are alive, the earlier ones too, which wait for the later ones. */
  private async keepAlive(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.extendedAt <= EXTEND_EVERY) return;
    this.extendedAt = now;
    await this.reservations.extend(this.em, this.opened);
  }
}
