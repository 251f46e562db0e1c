import { use, useState } from 'react';
import type { Schema } from '../../../shared/api/client';
import { FoundContext } from '../search/found';
import { PageText } from '../text/page-text';
import { heldIn } from './page-box';
import { PageImage } from './page-image';
import { ratioOf, type Turn } from './page-layout';

interface Props {
  file: Schema<'FileDto'>;
  page: number;
  size: Schema<'PageSizeDto'>;
  /** Of the picture that is asked for. */
  width: number;
  turn: Turn;
  box: { width: number; height: number };
  isNear: boolean;
  /** Its picture is there, or cannot be. */
  onSettled: () => void;
  /** Leads to a page of the document. */
  onGo: (page: number) => void;
}

/** A page of a document: its picture, and what it says over it. */
export function DocumentPage({ file, page, size, onSettled, onGo, ...picture }: Props) {
  // Words come after the picture, which people wait for; they also come without one that fails, and before it
  // where something was found.
  const [isSettled, setSettled] = useState(false);
  const settle = () => {
    setSettled(true);
    onSettled();
  };
  const isFound = use(FoundContext)?.hits.some((hit) => hit.page === page) === true;
  const ratio = ratioOf(size);
  return (
    <>
      <PageImage fileId={file.id} page={page} {...picture} onSettled={settle} />
      {file.can.text && size.width > 0 && (
        <PageText
          fileId={file.id}
          page={page}
          isWanted={picture.isNear && (isSettled || isFound)}
          ratio={ratio}
          onGo={onGo}
          style={heldIn(picture.box, ratio, picture.turn)}
        />
      )}
    </>
  );
}
