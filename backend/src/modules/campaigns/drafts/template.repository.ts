import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT } from '../../../platform/http/lists/list.js';
import { EmailTemplate, type EmailTemplateSchema } from '../entities/email-template.entity.js';

type TemplateFields = Pick<EmailTemplate, 'name' | 'subject' | 'htmlContent'>;

/** Owners' own email templates. */
@Injectable()
export class TemplateRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns an owner's templates by name, up to the limit of lists. */
  findTemplates(ownerId: number): Promise<EmailTemplate[]> {
    return this.em.find(EmailTemplate, { ownerId }, { orderBy: { name: 'asc', id: 'asc' }, limit: LIST_LIMIT });
  }

  /** Returns the template if it belongs to the owner. */
  findTemplate(em: EntityManager, id: number, ownerId: number): Promise<EmailTemplate | null> {
    return em.findOne(EmailTemplate, { id, ownerId });
  }

  async countTemplates(em: EntityManager, ownerId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from email_templates where owner_id = ${ownerId}`.execute(
      query<typeof EmailTemplateSchema>(em),
    );
    return rows[0]!.count;
  }

  async insertTemplate(em: EntityManager, ownerId: number, fields: TemplateFields): Promise<EmailTemplate> {
    const now = this.clock.now();
    const template = em.create(EmailTemplate, { ownerId, ...fields, createdAt: now, updatedAt: now });
    await em.flush();
    return template;
  }

  async updateTemplate(em: EntityManager, template: EmailTemplate, fields: TemplateFields): Promise<void> {
    em.assign(template, { ...fields, updatedAt: this.clock.now() });
    await em.flush();
  }

  /** @returns false if the owner has no such template */
  async deleteTemplate(id: number, ownerId: number): Promise<boolean> {
    return (await this.em.nativeDelete(EmailTemplate, { id, ownerId })) > 0;
  }
}
