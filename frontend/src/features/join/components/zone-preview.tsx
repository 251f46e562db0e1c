import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { nameOf } from '../../../shared/format/person';
import { useFormat } from '../../../shared/hooks/use-format';
import { CheckIcon, FileIcon, PeopleIcon } from '../../../shared/plain/icons';

export type PublicZone = Schema<'PublicZoneDto'>;

/** The zone, whose it is, how much is in it, and what joining means in plain words. */
export function ZonePreview({ zone }: { zone: PublicZone }) {
  const { t } = useTranslation('join');
  const format = useFormat();
  const owner = nameOf(zone.owner);
  const count = (value: number) => ({ count: value, formatted: format.number(value) });
  const emails = zone.requiresEmailOptin ? 'emails' : 'emailsOptional';
  const meaning = [
    t('meaning.files'),
    t(`meaning.${emails}`, { owner: owner || t('ownerUnknown') }),
    ...(zone.autoJoin ? [] : [t('meaning.approval')]),
    t('meaning.leave'),
  ];
  return (
    <>
      <p className="z-join-invited">{t('invited')}</p>
      <h1 className="z-title">{zone.name}</h1>
      {owner && <p className="z-join-owner">{t('owner', { name: owner })}</p>}
      {zone.description && <p className="z-join-description">{zone.description}</p>}
      <ul className="z-join-facts">
        <li>
          <FileIcon />
          {t('files', count(zone.fileCount))}
        </li>
        <li>
          <PeopleIcon />
          {t('members', count(zone.memberCount))}
        </li>
      </ul>
      <ul className="z-join-meaning">
        {meaning.map((sentence) => (
          <li key={sentence}>
            <CheckIcon />
            {sentence}
          </li>
        ))}
      </ul>
    </>
  );
}
