import { useTranslation } from 'react-i18next';
import { displayNameOf } from '../../../shared/format/person';
import { useFormat } from '../../../shared/hooks/use-format';
import { CheckIcon, ClockIcon, FileIcon, FolderIcon, PeopleIcon } from '../../../shared/public-ui/icons';
import type { JoinTarget } from '../join-target';

/** The zone, its owner, how much it contains, and what joining means. */
export function ZonePreview({ target }: { target: JoinTarget }) {
  const { t } = useTranslation('join');
  const format = useFormat();
  const owner = displayNameOf(target.owner);
  const countOptions = (value: number) => ({ count: value, formatted: format.number(value) });
  const emailMeaningKey = target.requiresEmailOptin ? 'emails' : 'emailsOptional';
  const membershipNotes = [
    t('meaning.files'),
    t(`meaning.${emailMeaningKey}`, { owner: owner || t('ownerUnknown') }),
    ...(target.autoJoin ? [] : [t('meaning.approval')]),
    ...(target.membershipDays === null ? [] : [t('meaning.days', { count: target.membershipDays })]),
    t('meaning.leave'),
  ];
  return (
    <>
      <p className="z-join-invited">{t('invited')}</p>
      <h1 className="z-title">{target.name}</h1>
      {owner && <p className="z-join-owner">{t('owner', { name: owner })}</p>}
      {target.description && <p className="z-join-description">{target.description}</p>}
      <ul className="z-join-facts">
        {target.fileCount !== null && (
          <li>
            <FileIcon />
            {t('files', countOptions(target.fileCount))}
          </li>
        )}
        {target.memberCount !== null && (
          <li>
            <PeopleIcon />
            {t('members', countOptions(target.memberCount))}
          </li>
        )}
        {target.expiresAt !== null && (
          <li>
            <ClockIcon />
            {t('until', { date: format.dateTime(target.expiresAt) })}
          </li>
        )}
        {target.remainingUses !== null && (
          <li>
            <PeopleIcon />
            {t('places', countOptions(target.remainingUses))}
          </li>
        )}
      </ul>
      {target.firstFiles.length > 0 && <FilePreviewList {...target} />}
      <ul className="z-join-meaning">
        {membershipNotes.map((sentence) => (
          <li key={sentence}>
            <CheckIcon />
            {sentence}
          </li>
        ))}
      </ul>
    </>
  );
}

function FilePreviewList({ firstFiles, moreFiles }: Pick<JoinTarget, 'firstFiles' | 'moreFiles'>) {
  const { t } = useTranslation('join');
  const format = useFormat();
  const title = t('inside');
  return (
    <>
      <h2 className="z-join-inside">{title}</h2>
      <ul className="z-join-files" aria-label={title}>
        {firstFiles.map(({ name, mimeType }, index) => (
          <li key={`${index}-${name}`}>
            {mimeType === null ? <FolderIcon /> : <FileIcon />}
            <span>{name}</span>
          </li>
        ))}
      </ul>
      {moreFiles > 0 && (
        <p className="z-join-more">{t('moreFiles', { count: moreFiles, formatted: format.number(moreFiles) })}</p>
      )}
    </>
  );
}
