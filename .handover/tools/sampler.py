import os,time,sys,collections,json,re
hz=os.sysconf('SC_CLK_TCK'); last={}; tot=collections.Counter(); out=sys.argv[1]; root=sys.argv[2]
def cls(pid,cmd):
    c=cmd
    if 'postgres' in c[:200]: return 'postgres'
    if 'redis-server' in c: return 'redis'
    if 'chrom' in c: return 'chromium'
    if 'soffice' in c: return 'soffice'
    if 'dist/backend/src/main.js' in c: return 'product main.js'
    m=re.search(r'dist/backend/src/(\S+)',c)
    if m: return 'dist '+m.group(1)
    m=re.search(r'(scripts/\S+\.mjs|backend/\S+\.mjs|bench/\S+\.mjs|frontend/\S+\.m?[jt]s)',c)
    if m: return m.group(1)
    m=re.search(r'node_modules/(\S+?)(\s|$)',c.split(' ',1)[1] if ' ' in c else '')
    if m: return 'nm '+m.group(1)[:50]
    return c[:60]
end=time.time()+float(sys.argv[3])
while time.time()<end:
    for p in os.listdir('/proc'):
        if not p.isdigit(): continue
        try:
            st=open(f'/proc/{p}/stat').read(); f=st[st.rindex(')')+2:].split(); cpu=int(f[11])+int(f[12]); start=f[19]
            k=(p,start)
            if k not in last:
                last[k]=[0,None]
            if cpu!=last[k][0]:
                cmd=open(f'/proc/{p}/cmdline').read().replace('\0',' ')
                if last[k][1] is None or last[k][1]=='' : last[k][1]=cls(p,cmd)
                else: last[k][1]=cls(p,cmd) or last[k][1]
                tot[last[k][1]]+=cpu-last[k][0]; last[k][0]=cpu
        except Exception: pass
    open(out,'w').write('\n'.join(f'{v/hz:8.1f} {k}' for k,v in tot.most_common(45)))
    time.sleep(0.15)
