import re,subprocess,sys,tempfile,os
def toks(t): return re.findall(r'\s+|[^\s`.,;:()\[\]/-]+|.', t, flags=re.S)
def wm(o,b,t):
    fs=[]
    for x in (o,b,t):
        f=tempfile.NamedTemporaryFile('w',delete=False); f.write('\n'.join(k.replace('\\','\\\\').replace('\n','\\n') for k in toks(x))+'\n'); f.close(); fs.append(f.name)
    p=subprocess.run(['git','merge-file','-p',*fs],capture_output=True,text=True)
    for f in fs: os.unlink(f)
    if p.returncode!=0: return None
    return ''.join(re.sub(r'\\(.)',lambda m:'\n' if m.group(1)=='n' else m.group(1),l) for l in p.stdout.split('\n')[:-1])
for f in sys.argv[1:]:
    subprocess.run(['git','checkout','-q','--conflict=diff3','--',f],check=True)
    t=open(f).read(); ok=bad=0
    def r(m):
        global ok,bad
        n=wm(m.group(1),m.group(2),m.group(3))
        if n is None:
            # line by line if the same number of lines
            ls=[x.split('\n') for x in m.groups()]
            if len(set(map(len,ls)))==1:
                out=[]
                for a,b,c in zip(*ls):
                    x=wm(a,b,c)
                    if x is None: out.append(f'<<<<<<< ours\n{a}\n=======\n{c}\n>>>>>>> theirs'); bad+=1
                    else: out.append(x)
                return '\n'.join(out)
            bad+=1; return m.group(0)
        ok+=1; return n
    n=re.sub(r'<<<<<<< [^\n]*\n(.*?)\|\|\|\|\|\|\| [^\n]*\n(.*?)=======\n(.*?)>>>>>>> [^\n]*\n', r, t, flags=re.S)
    open(f,'w').write(n); print(f,ok,bad)
