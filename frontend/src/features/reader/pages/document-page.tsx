import { use, useState } from 'react';
import type { Schema } from '../../../shared/api/client';
import { SearchResultsContext } from '../search/search-results';
import { PageText } from '../text/page-text';
import { fittedPageStyle } from './page-styles';
import { PageImage } from './page-image';
import { aspectRatioOf, type Rotation } from './page-layout';

interface Props {
  file: Schema<'FileDto'>;
  page: number;
  size: Schema<'PageSizeDto'>;
  /** Of the picture that is asked for. */
  width: number;
  rotation: Rotation;
  slotSize: { width: number; height: number };
  isNear: boolean;
  /** Its picture is there, or cannot be. */
  onLoadEnd: () => void;
  /** Leads to a page of the document. */
  onGoToPage: (page: number) => void;
}

/** A page of a document: its picture, and what it says over it. */
export function DocumentPage({ file, page, size, onLoadEnd, onGoToPage, ...imageProps }: Props) {
  // Words come after the picture, which people wait for; they also come without one that fails, and before it
  // where something was found.
  const [hasLoadEnded, setLoadEnded] = useState(false);
  const handleLoadEnd = () => {
    setLoadEnded(true);
    onLoadEnd();
  };
  const hasHits = use(SearchResultsContext)?.hits.some((hit) => hit.page === page) === true;
  const aspectRatio = aspectRatioOf(size);
  return (
    <>
      <PageImage fileId={file.id} page={page} {...imageProps} onLoadEnd={handleLoadEnd} />
      {file.can.text && size.width > 0 && (
        <PageText
          fileId={file.id}
          page={page}
          isEnabled={imageProps.isNear && (hasLoadEnded || hasHits)}
          aspectRatio={aspectRatio}
          onGoToPage={onGoToPage}
          style={fittedPageStyle(imageProps.slotSize, aspectRatio, imageProps.rotation)}
        />
      )}
    </>
  );
}
