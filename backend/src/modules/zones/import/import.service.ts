import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { refreshStatistics } from '../../../platform/database/refresh-statistics.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ImportResultDto, ImportRowDto } from '../dto/import.dto.js';
import { MemberAdmission } from '../joining/member-admission.service.js';
import { zoneErrors } from '../zones.errors.js';
import { AddingService, type Declaration } from './adding.service.js';
import { readCsvText, type CsvText } from './csv-text.js';
import type { ImportForm } from './import-form.js';
import { cutSentences, importSentences, isSuccess, type ImportOutcome } from '../shared/outcomes.js';
import { importRows, type ImportRow } from './import-rows.js';
import { ImportSifting } from './import-sifting.service.js';
import { InvitingRowsService } from './inviting-rows.service.js';
import { TellingService } from './telling.service.js';

/** Rows of one transaction: it holds the owner's row of usage through its commit. */
const CHUNK = 500;
/** So many people at once change how the database should plan. */
const MANY = 1000;
/** The tables into which people are brought. */
const GROWN = ['users', 'zone_members', 'audience', 'email_consents', 'invitations'];

type Importer = Omit<Declaration, 'zone' | 'tell'>;
type Outcomes = Map<ImportRow, ImportOutcome>;

/** What the rows before would take, of the plan and of the mails of today. */
interface Foretold {
  places: number;
  mails: number;
}

/** Bringing the people of a CSV file into a zone. */
@Injectable()
export class ImportService {
  constructor(
    private readonly em: EntityManager,
    private readonly members: MemberAdmission,
    private readonly sifting: ImportSifting,
    private readonly adding: AddingService,
    private readonly inviting: InvitingRowsService,
    private readonly telling: TellingService,
    private readonly usage: UsageService,
    private readonly audit: Audit,
  ) {}

  /**
   * Invites or adds the people of a file, or tells what would become of them. The file is read through before anything
   * is changed, so that a broken one changes nothing; then chunks are committed one after the other. Who left, complained
   * or is suppressed is always passed over, and nothing about one row is an error of the file.
   * @throws IMPORT_UNREADABLE, IMPORT_NO_EMAIL_COLUMN, IMPORT_TOO_LARGE; ZONE_NOT_FOUND
   */
  async import(zoneId: number, form: ImportForm, importer: Importer): Promise<ImportResultDto> {
    const zone = await this.members.lockZone(this.em, zoneId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    const text = readCsvText(form.file);
    await readThrough(text);
    const results: ImportRowDto[] = [];
    const earlier = new Set<string>();
    const foretold: Foretold = { places: 0, mails: 0 };
    for await (const rows of inChunks(text)) {
      const outcomes = await this.sifting.sift(this.em, zone, rows, earlier);
      const open = rows.filter((row) => !outcomes.has(row));
      await this.settle(form, { ...importer, zone, tell: form.tell }, open, outcomes, foretold);
      for (const row of rows) results.push(shown(row, outcomes.get(row)!, importer));
    }
    const mail = form.dryRun && form.tell ? await this.telling.preview(zone, importer.language) : null;
    const result = { ...(await this.summary(zone.ownerId, form, results)), mail };
    if (!form.dryRun && result.succeeded >= MANY) await refreshStatistics(this.em, GROWN);
    if (!form.dryRun) {
      const params = { zoneId, mode: form.mode, succeeded: result.succeeded };
      await this.audit.record(this.em, { type: 'zone.members-imported', actorId: importer.actorId, params });
    }
    return result;
  }

  /** Does, or foretells, what becomes of the rows against which nothing speaks. */
  private async settle(
    form: ImportForm,
    declaration: Declaration,
    open: readonly ImportRow[],
    outcomes: Outcomes,
    foretold: Foretold,
  ): Promise<void> {
    const { mode, dryRun } = form;
    if (open.length === 0) return;
    if (mode === 'invite' && !dryRun) {
      await this.inviting.invite(open, declaration, outcomes);
      return;
    }
    if (dryRun) return this.foretell(form, declaration, open, outcomes, foretold);
    const { added, over, tellingJob } = await this.adding.add(open, declaration);
    const comeIn = open.flatMap(({ email }) => (added.has(email) ? email : []));
    const told = tellingJob === null ? added : await this.telling.tell(declaration.zone, comeIn, tellingJob);
    for (const row of open) {
      const entered = told.has(row.email) ? 'ADDED' : added.has(row.email) ? 'NOT_TOLD' : 'ALREADY_MEMBER';
      outcomes.set(row, over.has(row.email) ? 'PLAN_LIMIT' : entered);
    }
  }

  private async foretell(
    { mode, tell }: ImportForm,
    { zone }: Declaration,
    open: readonly ImportRow[],
    outcomes: Outcomes,
    foretold: Foretold,
  ): Promise<void> {
    const invited = mode === 'invite' ? await this.inviting.open(zone.id, open) : new Set<string>();
    const left = open.filter(({ email }) => !invited.has(email));
    const { over, places } = await this.adding.fitting(this.em, zone.ownerId, left, foretold.places);
    foretold.places += places;
    const isMailed = mode === 'invite' || tell;
    let mails = isMailed ? (await this.inviting.roomToday(zone.ownerId)) - foretold.mails : Infinity;
    for (const row of open) {
      if (invited.has(row.email)) outcomes.set(row, 'ALREADY_INVITED');
      else if (over.has(row.email)) outcomes.set(row, 'PLAN_LIMIT');
      else if (mode === 'add') outcomes.set(row, mails-- > 0 ? 'ADDED' : 'NOT_TOLD');
      else outcomes.set(row, mails-- > 0 ? 'INVITED' : 'DAILY_MAIL_LIMIT');
    }
    foretold.mails += [...outcomes.values()].filter((outcome) => outcome === 'INVITED' || outcome === 'ADDED').length;
  }

  private async summary(
    ownerId: number,
    { dryRun, mode }: ImportForm,
    results: ImportRowDto[],
  ): Promise<Omit<ImportResultDto, 'mail'>> {
    const counts: ImportResultDto['counts'] = {};
    for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
    const succeeded = results.filter(({ success }) => success).length;
    const state = counts.PLAN_LIMIT ? await this.usage.state(this.em, ownerId, 'people') : null;
    const planLimit = state && state.allowed !== null ? { used: state.used, allowed: state.allowed } : null;
    return { dryRun, mode, total: results.length, succeeded, counts, planLimit, results };
  }
}

function shown({ row, record, email, cut }: ImportRow, status: ImportOutcome, { language }: Importer): ImportRowDto {
  const success = isSuccess(status);
  const sentences = [importSentences[status], ...cut.map((name) => cutSentences[name])].map((one) => one[language]);
  // Of a row that changes nothing no name is kept, and none is cut.
  const message = success ? sentences.join('. ') : sentences[0]!;
  return { row, record, email, success, status, message, cut: success ? [...cut] : [] };
}

async function readThrough(text: CsvText): Promise<void> {
  for await (const row of importRows(text)) void row;
}

async function* inChunks(text: CsvText): AsyncGenerator<ImportRow[]> {
  let chunk: ImportRow[] = [];
  for await (const row of importRows(text)) {
    chunk.push(row);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
