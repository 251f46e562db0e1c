import { useId, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { UploadIcon } from '../../shared/public-ui/icons';
import { useSending, type Sending } from './use-sending';

type FileRequest = Schema<'SharedFileRequestDto'>;

interface Props {
  token: string;
  request: FileRequest;
}

/** What a shared folder requests, with what the visitor is sending. */
export function RequestPanel({ token, request }: Props) {
  const { t } = useTranslation('sharedItem');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { items, sentName, addFiles, retry, remove } = useSending(token);
  const { instructions, isOpen, canSend, isPrivate } = request;
  const dropTarget = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      addFiles(droppedFiles(event.dataTransfer));
    },
  };
  return (
    <section
      className={`z-card z-request${isOver ? ' z-request-over' : ''}`}
      aria-labelledby={id}
      {...(canSend && dropTarget)}
    >
      <h2 id={id} className="z-request-title">
        {t(isOpen ? 'request.open' : 'request.closed')}
      </h2>
      {instructions && <p className="z-request-text">{instructions}</p>}
      <RequestTerms request={request} />
      <p className="z-second">{t(isPrivate ? 'request.isPrivate' : 'request.isForAll')}</p>
      {canSend && (
        <div className="z-request-choose">
          <input
            ref={input}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              addFiles([...(target.files ?? [])]);
              // The same file can be chosen again.
              target.value = '';
            }}
          />
          <button type="button" className="z-button z-button-main" onClick={() => input.current?.click()}>
            <UploadIcon />
            {t('request.choose')}
          </button>
          <span className="z-second z-request-drop">{t('request.drop')}</span>
        </div>
      )}
      {items.length > 0 && (
        <ul className="z-request-items" aria-label={t('request.sending')}>
          {items.map((item) => (
            <SendingRow key={item.key} item={item} onRetry={() => retry(item.key)} onRemove={() => remove(item.key)} />
          ))}
        </ul>
      )}
      <p className="z-visually-hidden" role="status">
        {sentName === null ? '' : t('request.sentFile', { name: sentName })}
      </p>
    </section>
  );
}

/** Files without folders, which look like empty files. */
function droppedFiles({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.webkitGetAsEntry?.()?.isDirectory ? null : item.getAsFile();
    return file ?? [];
  });
}

function RequestTerms({ request }: { request: FileRequest }) {
  const { t } = useTranslation('sharedItem');
  const format = useFormat();
  const { closesAt, isOpen, maxFilesPerPerson, maxFileBytes, sentFiles } = request;
  const sent =
    maxFilesPerPerson === null
      ? t('request.sent', { count: sentFiles, formatted: format.number(sentFiles) })
      : t('request.sentOf', {
          count: maxFilesPerPerson,
          sent: format.number(sentFiles),
          allowed: format.number(maxFilesPerPerson),
        });
  const terms = [
    closesAt && t(isOpen ? 'request.until' : 'request.wasUntil', { date: format.dateTime(closesAt) }),
    sent,
    t('request.upTo', { size: format.sizeLimit(maxFileBytes) }),
  ];
  return <p className="z-second">{terms.filter(Boolean).join(' · ')}</p>;
}

function SendingRow({ item, onRetry, onRemove }: { item: Sending; onRetry: () => void; onRemove: () => void }) {
  const { t } = useTranslation('sharedItem');
  const errorText = useErrorText();
  const { file, progress, error } = item;
  const { name } = file;
  return (
    <li>
      <div className="z-request-item">
        <span className="z-request-name">{name}</span>
        {error !== undefined && (
          <button type="button" className="z-button z-button-quiet" onClick={onRetry}>
            {t('request.retry')}
          </button>
        )}
        <button
          type="button"
          className="z-button z-button-quiet"
          aria-label={t(error === undefined ? 'request.cancelFile' : 'request.dismissFile', { name })}
          onClick={onRemove}
        >
          {t(error === undefined ? 'request.cancel' : 'request.dismiss')}
        </button>
      </div>
      {error === undefined ? (
        <progress aria-label={t('request.sendingFile', { name })} value={progress} max={1} />
      ) : (
        <p className="z-request-error" role="alert">
          {errorText(error)}
        </p>
      )}
    </li>
  );
}
