import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { analyzeTables } from '../../../platform/database/analyze-tables.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ImportResultDto, ImportRowDto } from '../dto/import.dto.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { ImportAddService, type ImportContext } from './import-add.service.js';
import { readCsvText, type CsvText } from './csv-text.js';
import type { ImportForm } from './import-form.js';
import { truncatedNameMessages, importMessages, isSuccess, type ImportOutcome } from '../shared/outcomes.js';
import { parseImportRows, type ImportRow } from './import-rows.js';
import { ImportValidationService } from './import-validation.service.js';
import { ImportInviteService } from './import-invite.service.js';
import { ImportNotificationService } from './import-notification.service.js';

/** Rows per transaction, which holds the owner's usage row until its commit. */
const CHUNK_SIZE = 500;
/** From this many people on, the tables are analysed, because their statistics would mislead the query planner. */
const ANALYZE_THRESHOLD = 1000;
/** Tables into which people are imported. */
const TABLES_TO_ANALYZE = ['users', 'zone_members', 'audience', 'email_consents', 'invitations'];

type Importer = Omit<ImportContext, 'zone' | 'notify'>;
type Outcomes = Map<ImportRow, ImportOutcome>;

/** Usage predicted for earlier rows, of the plan and of today's emails. */
interface PredictedUsage {
  people: number;
  emails: number;
}

/** Imports the people of a CSV file into a zone. */
@Injectable()
export class ImportService {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: ZoneRepository,
    private readonly importValidation: ImportValidationService,
    private readonly importAdd: ImportAddService,
    private readonly importInvite: ImportInviteService,
    private readonly importNotification: ImportNotificationService,
    private readonly usage: UsageService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Invites or adds the people of a file, or predicts the outcome in a dry run. The whole file is validated first, so
   * that a malformed one changes nothing. Then chunks are committed one at a time. People who left, complained or are
   * suppressed are always skipped. A problem with one row never fails the whole file.
   * @throws IMPORT_UNREADABLE, IMPORT_NO_EMAIL_COLUMN, IMPORT_TOO_LARGE; ZONE_NOT_FOUND
   */
  async importFile(zoneId: number, form: ImportForm, importer: Importer): Promise<ImportResultDto> {
    const zone = await this.zones.lockZone(this.em, zoneId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    const text = readCsvText(form.file);
    await validateFile(text);
    const results: ImportRowDto[] = [];
    const seenEmails = new Set<string>();
    const predicted: PredictedUsage = { people: 0, emails: 0 };
    for await (const rows of readChunks(text)) {
      const outcomes = await this.importValidation.validateRows(this.em, zone, rows, seenEmails);
      const open = rows.filter((row) => !outcomes.has(row));
      await this.processRows(form, { ...importer, zone, notify: form.notify }, open, outcomes, predicted);
      for (const row of rows) results.push(toRowDto(row, outcomes.get(row)!, importer));
    }
    const mail =
      form.dryRun && form.notify ? await this.importNotification.previewEmail(zone, importer.language) : null;
    const result = { ...(await this.createSummary(zone.ownerId, form, results)), mail };
    if (!form.dryRun && result.succeeded >= ANALYZE_THRESHOLD) await analyzeTables(this.em, TABLES_TO_ANALYZE);
    if (!form.dryRun) {
      const params = { zoneId, mode: form.mode, succeeded: result.succeeded };
      await this.audit.record(this.em, { type: 'zone.members-imported', actorId: importer.actorId, params });
    }
    return result;
  }

  /** Imports the eligible rows or predicts their outcome. */
  private async processRows(
    form: ImportForm,
    declaration: ImportContext,
    open: readonly ImportRow[],
    outcomes: Outcomes,
    foretold: PredictedUsage,
  ): Promise<void> {
    const { mode, dryRun } = form;
    if (open.length === 0) return;
    if (mode === 'invite' && !dryRun) {
      await this.importInvite.inviteRows(open, declaration, outcomes);
      return;
    }
    if (dryRun) return this.predictOutcomes(form, declaration, open, outcomes, foretold);
    const { added, overLimit, notificationJobId } = await this.importAdd.addMembers(open, declaration);
    const addedEmails = open.flatMap(({ email }) => (added.has(email) ? email : []));
    const notified =
      notificationJobId === null
        ? added
        : await this.importNotification.enqueueNotifications(declaration.zone, addedEmails, notificationJobId);
    for (const row of open) {
      const entered = notified.has(row.email) ? 'ADDED' : added.has(row.email) ? 'NOT_TOLD' : 'ALREADY_MEMBER';
      outcomes.set(row, overLimit.has(row.email) ? 'PLAN_LIMIT' : entered);
    }
  }

  private async predictOutcomes(
    { mode, notify }: ImportForm,
    { zone }: ImportContext,
    open: readonly ImportRow[],
    outcomes: Outcomes,
    foretold: PredictedUsage,
  ): Promise<void> {
    const invited = mode === 'invite' ? await this.importInvite.findOpenInvitations(zone.id, open) : new Set<string>();
    const remaining = open.filter(({ email }) => !invited.has(email));
    const { over, places } = await this.importAdd.findFitting(this.em, zone.ownerId, remaining, foretold.people);
    foretold.people += places;
    const isMailed = mode === 'invite' || notify;
    let mails = isMailed ? (await this.importInvite.getRemainingEmailsToday(zone.ownerId)) - foretold.emails : Infinity;
    for (const row of open) {
      if (invited.has(row.email)) outcomes.set(row, 'ALREADY_INVITED');
      else if (over.has(row.email)) outcomes.set(row, 'PLAN_LIMIT');
      else if (mode === 'add') outcomes.set(row, mails-- > 0 ? 'ADDED' : 'NOT_TOLD');
      else outcomes.set(row, mails-- > 0 ? 'INVITED' : 'DAILY_MAIL_LIMIT');
    }
    foretold.emails += [...outcomes.values()].filter((outcome) => outcome === 'INVITED' || outcome === 'ADDED').length;
  }

  private async createSummary(
    ownerId: number,
    { dryRun, mode }: ImportForm,
    results: ImportRowDto[],
  ): Promise<Omit<ImportResultDto, 'mail'>> {
    const counts: ImportResultDto['counts'] = {};
    for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
    const succeeded = results.filter(({ success }) => success).length;
    const state = counts.PLAN_LIMIT ? await this.usage.getUsage(this.em, ownerId, 'people') : null;
    const planLimit = state && state.allowed !== null ? { used: state.used, allowed: state.allowed } : null;
    return { dryRun, mode, total: results.length, succeeded, counts, planLimit, results };
  }
}

function toRowDto({ row, record, email, cut }: ImportRow, status: ImportOutcome, { language }: Importer): ImportRowDto {
  const success = isSuccess(status);
  const sentences = [importMessages[status], ...cut.map((name) => truncatedNameMessages[name])].map(
    (text) => text[language],
  );
  // Rows that change nothing store no name, so truncation is not reported for them.
  const message = success ? sentences.join('. ') : sentences[0]!;
  return { row, record, email, success, status, message, cut: success ? [...cut] : [] };
}

async function validateFile(text: CsvText): Promise<void> {
  for await (const row of parseImportRows(text)) void row;
}

async function* readChunks(text: CsvText): AsyncGenerator<ImportRow[]> {
  let chunk: ImportRow[] = [];
  for await (const row of parseImportRows(text)) {
    chunk.push(row);
    if (chunk.length < CHUNK_SIZE) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
