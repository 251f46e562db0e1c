import Box from '@mui/material/Box';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  zoneId: string;
  subject: string;
  htmlContent: string;
}

/**
 * Shows a wording as the server renders it. It is posted as a form into a frame of its own, so that the mail is a
 * document with the strict rules that the server gives it; the frame before stays until the new one has come.
 */
export function PreviewFrame({ zoneId, subject, htmlContent }: Props) {
  const { t } = useTranslation('campaigns');
  const contentKey = `${zoneId}\n${subject}\n${htmlContent}`;
  const [frames, setFrames] = useState([{ at: 0, contentKey }]);
  const newest = frames.at(-1)!;
  if (newest.contentKey !== contentKey) setFrames([...frames.slice(0, 1), { at: newest.at + 1, contentKey }]);
  return (
    <>
      {frames.map((frame, index) => (
        <PreviewIframe
          key={frame.at}
          title={t('preview.frame')}
          action={`/api/zones/${zoneId}/campaigns/preview`}
          fields={frame === newest ? { subject, htmlContent } : null}
          isHidden={index > 0}
          onLoaded={() => setFrames((now) => now.filter(({ at }) => at >= frame.at))}
        />
      ))}
    </>
  );
}

interface FrameProps {
  title: string;
  action: string;
  /** What is posted, once; nothing for a frame that is shown already. */
  fields: Record<string, string> | null;
  isHidden: boolean;
  onLoaded: () => void;
}

function PreviewIframe({ title, action, fields, isHidden, onLoaded }: FrameProps) {
  const name = `preview${useId()}`;
  const isPostedRef = useRef(false);
  useEffect(() => {
    if (isPostedRef.current || !fields) return;
    postForm(action, name, fields);
    isPostedRef.current = true;
  }, [action, name, fields]);
  return (
    <Box
      component="iframe"
      name={name}
      title={title}
      tabIndex={isHidden ? -1 : 0}
      aria-hidden={isHidden}
      // The empty document that a new frame begins with is none of ours.
      onLoad={() => isPostedRef.current && onLoaded()}
      sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', border: 0, opacity: isHidden ? 0 : 1 }}
    />
  );
}

function postForm(action: string, target: string, fields: Record<string, string>): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, target, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
