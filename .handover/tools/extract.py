import subprocess,os,sys
def ext(gd,prefix,out,exts):
    ls=subprocess.check_output(['git','--git-dir',gd,'ls-tree','-r','-z','HEAD',prefix]).decode().split('\0')
    p=subprocess.Popen(['git','--git-dir',gd,'cat-file','--batch'],stdin=subprocess.PIPE,stdout=subprocess.PIPE)
    n=miss=0
    for l in ls:
        if not l: continue
        meta,path=l.split('\t'); sha=meta.split()[2]
        if not path.lower().endswith(exts): continue
        p.stdin.write((sha+'\n').encode()); p.stdin.flush()
        h=p.stdout.readline().decode().split()
        if h[1]=='missing': miss+=1; continue
        d=p.stdout.read(int(h[2])); p.stdout.read(1)
        f=os.path.join(out,path); os.makedirs(os.path.dirname(f),exist_ok=True); open(f,'wb').write(d); n+=1
    print(gd,n,'files',miss,'missing')
ext('/work/.mirror/mozilla+pdf.js/repo','test/pdfs','/tmp/corpus/pdfjs',('.pdf',))
ext('/work/.mirror/apache+poi/repo','test-data','/tmp/corpus/poi',('.doc','.docx','.docm','.dotx','.xls','.xlsx','.xlsm','.ppt','.pptx','.pptm','.ppsx','.rtf','.odt'))
