/** Saves a blob through the browser's download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken over the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Saves a response under the file name the server sent. */
export function saveResponse(content: Blob, response: Response, fallbackName: string): void {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveFile(content, name ?? fallbackName);
}
