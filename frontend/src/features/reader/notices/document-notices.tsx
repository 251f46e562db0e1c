import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import type { ReaderFile } from '../source/reader-source';
import './document-notices.css';

interface Props {
  file: Pick<ReaderFile, 'id'>;
  document: Schema<'DocumentDto'>;
  /** The reader started at a later page, so the area above the first page is out of view. */
  isPinned: boolean;
}

/** Notices about a document's hidden content and its attachments. */
export function DocumentNotices({ file, document: { hidden, attachments }, isPinned }: Props) {
  return (
    <>
      {hidden && <HiddenContentNotice fileId={file.id} hidden={hidden} isPinned={isPinned} />}
      {attachments.length > 0 && <AttachmentList attachments={attachments} />}
    </>
  );
}

interface HiddenContentProps {
  fileId: number;
  hidden: Schema<'HiddenPartsDto'>;
  isPinned: boolean;
}

/** Shown until it is dismissed in this browser. The content of a file never changes. */
function HiddenContentNotice({ fileId, hidden, isPinned }: HiddenContentProps) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const [state, setState] = useStoredChoice(`hidden.${fileId}`, ['new', 'seen'], 'new');
  if (state === 'seen') return null;
  const sheets = { count: hidden.sheets, formatted: format.number(hidden.sheets) };
  return (
    <div role="note" className={isPinned ? 'z-reader-note z-reader-note-fixed' : 'z-reader-note'}>
      {hidden.sheets > 0 && <p>{t('hidden.sheets', sheets)}</p>}
      {hidden.deletions && <p>{t('hidden.deletions')}</p>}
      {hidden.layers && <p>{t('hidden.layers')}</p>}
      <p className="z-second">{t('hidden.who')}</p>
      <button type="button" className="z-button" onClick={() => setState('seen')}>
        {t('hidden.dismiss')}
      </button>
    </div>
  );
}

function AttachmentList({ attachments }: { attachments: readonly Schema<'AttachmentDto'>[] }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const count = attachments.length;
  return (
    <section className="z-reader-note">
      <h2>{t('attachments.title', { count, formatted: format.number(count) })}</h2>
      <ul>
        {attachments.map(({ name, url }) => (
          <li key={url}>
            <a href={url} download={name} aria-label={t('attachments.download', { name })}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
